"""A transform in two dimensions, and one of a single number: what does the planner say that they cost?"""

from planner import fftw, plan_plane, plan_row, text

for name, plan in (("row", plan_row(256)), ("plane", plan_plane(16, 24)), ("number", plan_row(1))):
    print(f"{name}: cost {fftw.fftw_cost(plan):.0f}, {text(plan)}")
