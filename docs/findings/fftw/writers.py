"""Four processes plan four transforms at the same moment, and keep their wisdom in one file."""

import multiprocessing
import tempfile
from pathlib import Path

COUNTS = (64, 96, 128, 160)


def plan_and_export(file, barrier, count):
    import planner

    barrier.wait()
    planner.import_file(file)
    planner.plan_row(count)
    planner.export_file(file)


def is_known(file, results):
    import planner

    planner.import_file(file)
    for count in COUNTS:
        results.put((count, planner.plan_row(count, planner.MEASURE | planner.WISDOM_ONLY) is not None))


with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "wisdom"
    barrier, results = multiprocessing.Barrier(len(COUNTS)), multiprocessing.Queue()
    for target, each in ((plan_and_export, [(file, barrier, count) for count in COUNTS]),
                         (is_known, [(file, results)])):
        processes = [multiprocessing.Process(target=target, args=arguments) for arguments in each]
        for process in processes:
            process.start()
        for process in processes:
            process.join()
    for _ in COUNTS:
        count, known = results.get()
        print(f"{count}: {'kept' if known else 'lost'}")
