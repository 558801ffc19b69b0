"""library_program.py LIBRARY RUNTIME KERNEL: a program that is not in the folder of tunecheck's own, on HIP on the host.

Tunes the kernel in the folder KERNEL, y += 1.25 * x, on memory of the device, and prints the last y, which was 1 and
whose x is 2."""

import ctypes
import sys

COUNT = 65536


class Options(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("device", ctypes.c_char_p), ("cache_folder", ctypes.c_char_p)]


class Tensor(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("data", ctypes.c_void_p), ("dtype", ctypes.c_int32),
                ("rank", ctypes.c_int32), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64))]


def main():
    library, runtime = ctypes.CDLL(sys.argv[1]), ctypes.CDLL(sys.argv[2])
    library.tunecheck_error_text.restype = ctypes.c_char_p

    def must(status):
        if status:
            sys.exit(library.tunecheck_error_text().decode())

    tuner, kernel = ctypes.c_void_p(), ctypes.c_void_p()
    must(library.tunecheck_tuner_create(ctypes.byref(Options(ctypes.sizeof(Options), b"hip")), ctypes.byref(tuner)))
    must(library.tunecheck_kernel_bind(tuner, sys.argv[3].encode(), b"smoke", None, ctypes.c_size_t(0),
                                       ctypes.byref(kernel)))
    shape, tensors, values = (ctypes.c_int64 * 1)(COUNT), [], ctypes.c_float * COUNT
    for name, value in ((b"x", 2.0), (b"y", 1.0)):
        memory = ctypes.c_void_p()
        if runtime.hipMalloc(ctypes.byref(memory), ctypes.c_size_t(4 * COUNT)):
            sys.exit("hipMalloc")
        values.from_address(memory.value)[:] = [value] * COUNT
        tensors.append(Tensor(name, memory, 1, 1, shape))
    must(library.tunecheck_kernel_call(kernel, (Tensor * 2)(*tensors), ctypes.c_size_t(2), None, ctypes.c_size_t(0),
                                       None, None))
    runtime.hipDeviceSynchronize()
    print("y is", values.from_address(tensors[1].data)[COUNT - 1])


if __name__ == "__main__":
    main()
