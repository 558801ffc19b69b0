#!/usr/bin/env python3
"""Compiles GPU kernels for HIP on the host (hiprtc.cpp): compile_server.py SOCKET.

Each connection sends one line of JSON, {"source": TEXT, "options": [...]}, and gets one,
{"log": TEXT, "code": HEXADECIMAL, "kernels": [...]}, without a code if the compile fails. It prints a
line when it listens, and ends when its standard input does.
"""
import json
import os
import re
import socketserver
import subprocess
import sys
import tempfile
import threading

PRELUDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kernel_prelude.h")
BOUNDS = r"(?:__launch_bounds__\s*\((?:[^()]|\([^()]*\))*\)\s*)?"
KERNEL = re.compile(r"__global__\s+void\s+" + BOUNDS + r"(\w+)\s*\(")
# What runs a kernel, and what says what its parameters are.
ADDED = """
extern "C" void tunecheck_run_{name}(const unsigned* grid, const unsigned* block, void** with) {{
  tunecheck_host::run([](void** a) {{ tunecheck_host::call({name}, a); }}, {barriers}, grid, block, with);
}}
extern "C" const std::size_t* tunecheck_describe_{name}() {{ return tunecheck_host::describe({name}); }}
"""


def compile_source(source, options):
    kernels = KERNEL.findall(source)
    barriers = "true" if re.search(r"__syncthreads|block_reduce|_lane\(", source) else "false"
    text = source + "".join(ADDED.format(name=name, barriers=barriers) for name in kernels)
    command = ["/usr/bin/c++", "-std=c++20", "-O1", "-w", "-fno-gnu-unique", "-shared", "-fPIC", "-s",
               "-include", PRELUDE, *(option for option in options if option.startswith(("-I", "-D"))),
               "kernel.cpp", "-o", "kernel.so"]
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "kernel.cpp"), "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return {"log": "error: " + done.stderr[:4000]}
        with open(os.path.join(folder, "kernel.so"), "rb") as file:
            return {"log": "", "code": file.read().hex(), "kernels": kernels}


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        request = json.loads(self.rfile.readline())
        answer = compile_source(request["source"], request["options"])
        self.wfile.write((json.dumps(answer) + "\n").encode())


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    request_queue_size = 64


def main():
    with Server(sys.argv[1], Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print("ready", flush=True)
        sys.stdin.read()


main()
