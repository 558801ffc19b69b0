"""Numbers that lie 3 apart, and then 4 apart."""

from planner import MEASURE, WISDOM_ONLY, plan_row

plan_row(256, stride=3)
for stride in (3, 4):
    known = plan_row(256, MEASURE | WISDOM_ONLY, stride=stride) is not None
    print(f"{stride} apart: {'wisdom is there' if known else 'to be planned'}")
