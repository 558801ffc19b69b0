"""Wisdom in which somebody, or another machine, has put a plan that is slow here; and wisdom with one
changed digit."""

import re
import time

from planner import ESTIMATE, MEASURE, WISDOM_ONLY, array, fftw, import_wisdom, plan_row, text, version, wisdom

COUNT = 4096


def nanoseconds(plan):
    best = 1e9
    for _ in range(200):
        began = time.perf_counter_ns()
        fftw.fftw_execute(plan)
        best = min(best, time.perf_counter_ns() - began)
    return best


print(version)
source, target = array(COUNT), array(COUNT)
measured = plan_row(COUNT, source=source, target=target)
honest = wisdom()
print("what the file says of the machine:", honest.splitlines()[0])

# An estimate is a plan that nobody measured. Its wisdom, called measured.
fftw.fftw_forget_wisdom()
estimated = plan_row(COUNT, ESTIMATE, source=source, target=target)
flags = re.search(r" (#x[0-9a-f]+ #x[0-9a-f]+) #x0 ", honest).group(1)
forged = re.sub(r"#x[0-9a-f]+ #x[0-9a-f]+ #x0 ", f"{flags} #x0 ", wisdom())
fftw.fftw_forget_wisdom()
print("forged wisdom is taken:", import_wisdom(forged))
used = plan_row(COUNT, MEASURE | WISDOM_ONLY, source=source, target=target)
print("and used as measured:", used is not None and text(used) == text(estimated))
print(f"measured: {nanoseconds(measured)} ns, as the file says: {nanoseconds(used or measured)} ns")

# One digit of the last entry's flags, or of its key.
fftw.fftw_forget_wisdom()
at = honest.rstrip(") \n").rfind("#x") + 2
digit = "0" if honest[at] != "0" else "1"
print("wisdom with another digit is taken:", import_wisdom(honest[:at] + digit + honest[at + 1:]))
fftw.fftw_forget_wisdom()
print("wisdom that was cut is taken:", import_wisdom(honest[: len(honest) // 2]))
print("wisdom with another name is taken:", import_wisdom(honest.replace("fftw_codelet_", "fftw_codelet2_", 1)))
