"""Four processes plan the same transform at the same moment, and each looks for wisdom first."""

import multiprocessing
import tempfile
import time
from pathlib import Path


def start(file, barrier, results):
    import planner

    barrier.wait()
    planner.import_file(file)
    known = planner.plan_row(1000, planner.MEASURE | planner.WISDOM_ONLY) is not None
    began = time.perf_counter()
    planner.plan_row(1000)
    planner.export_file(file)
    results.put((known, time.perf_counter() - began))


with tempfile.TemporaryDirectory() as folder:
    barrier, results = multiprocessing.Barrier(4), multiprocessing.Queue()
    arguments = (Path(folder) / "wisdom", barrier, results)
    processes = [multiprocessing.Process(target=start, args=arguments) for _ in range(4)]
    for process in processes:
        process.start()
    found = [results.get() for _ in processes]
    for process in processes:
        process.join()
    for known, seconds in found:
        print("wisdom was there" if known else f"planned for {seconds:.3f} s")
