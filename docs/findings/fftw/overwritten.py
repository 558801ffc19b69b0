"""Arrays that have their content before a plan is made: in place, and out of place."""

from planner import array, fftw, import_wisdom, plan_row, wisdom

COUNT = 256

for place in ("in place", "out of place"):
    source = array(COUNT)
    target = source if place == "in place" else array(COUNT)
    plan = plan_row(COUNT, source=source, target=target)
    print(f"{place}: {sum(1 for number in source if number != 1.0)} of {2 * COUNT} numbers of the input "
          f"are overwritten by the planner")
    fftw.fftw_execute(plan)
    print(f"{place}: the first result is {target[0]}; it should be {COUNT}.0")

known = wisdom()
fftw.fftw_forget_wisdom()
import_wisdom(known)
source = array(COUNT)
plan = plan_row(COUNT, source=source, target=source)
fftw.fftw_execute(plan)
print(f"with wisdom: the first result is {source[0]}")
