"""program.py NAME: a way in which programs in Python start processes and threads, around a tuner."""

import concurrent.futures
import multiprocessing
import os
import subprocess
import sys
import threading

from small_tuner import train


def by_processes(method):
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    first = context.Process(target=worker, args=(queue,))
    first.start()
    print(queue.get())
    first.join()
    all = [context.Process(target=worker, args=(queue,)) for _ in range(2)]
    for each in all:
        each.start()
    print([queue.get() for _ in all])
    for each in all:
        each.join()


def worker(queue):
    queue.put(train())


def by_pool(method):
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method)) as pool:
        print(pool.submit(train).result())
        print(list(pool.map(train, [True] * 4)))


def pool_is_terminated():
    with multiprocessing.get_context("fork").Pool(2) as pool:  # whose end is by SIGTERM
        print(pool.apply(train))


def by_subprocesses():
    command = [sys.executable, __file__, "train"]
    subprocess.run(command, check=True)
    all = [subprocess.Popen(command) for _ in range(3)]
    if any(each.wait() for each in all):
        sys.exit(1)


def by_threads():
    train()
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        print(list(pool.map(train, [True] * 8)))


def tunes_in_a_thread():
    thread = threading.Thread(target=train)
    thread.start()
    thread.join()
    print(train())


def ends_at_once():
    print(train(), flush=True)
    os._exit(0)


def forgets_in_a_worker():
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=train, args=(False,))
    process.start()
    process.join()


PROGRAMS = {
    "train": lambda: print(train()),
    "spawn": lambda: by_processes("spawn"),
    "forkserver": lambda: by_processes("forkserver"),
    "fork": lambda: by_processes("fork"),
    "pool_by_spawn": lambda: by_pool("spawn"),
    "pool_by_forkserver": lambda: by_pool("forkserver"),
    "pool_is_terminated": pool_is_terminated,
    "by_subprocesses": by_subprocesses,
    "by_threads": by_threads,
    "tunes_in_a_thread": tunes_in_a_thread,
    "ends_at_once": ends_at_once,
    "forgets_in_a_worker": forgets_in_a_worker,
}

if __name__ == "__main__":
    PROGRAMS[sys.argv[1]]()
