#pragma once
// Kernels for tests of proofs, put together from the parts in which they differ.
#include <regex>
#include <string>

#include <gtest/gtest.h>

#include "proof/prove.hpp"
#include "toy_kernel.hpp"

namespace tunecheck::test {

// The parts of a kernel file, of a source and of a reference in which kernels differ.
struct Parts {
  std::string sizes = "smoke { n 64 }  full { n 4096 }  odd { n 7 }";
  std::string tensors;
  std::string scalars = {};
  std::string lists = {};      ///< restore_value, reset_to_zero
  std::string arguments = {};  ///< of the kernel's function
  std::string body = {};
  std::string reference = {};  ///< the body of the reference; the kernel's where it is empty
  std::string tolerance = "relative 1e-6  absolute 1e-6";
};

inline std::string in_double(const std::string& arguments) {
  const std::string tensors =
      std::regex_replace(arguments, std::regex(R"(Tensor<\w+>)"), "Tensor<double>");
  return std::regex_replace(std::regex_replace(tensors, std::regex(R"(\bfloat )"), "double "),
                            std::regex(R"(\bint )"), "long ");
}

// With two configs, which compile to different code and do the same.
inline KernelText kernel_of(const Parts& parts) {
  KernelText text;
  text.info = fmt::format(
      "kernel\n{{\n  name toy\n  summary \"a test\"\n  sizes {{ {} }}\n  tensors {{ {} }}\n"
      "  scalars {{ {} }}\n  {}\n  space {{ step \"1 2\" }}\n  default {{ step 1 }}\n"
      "  cpu {{ source cpu.cpp }}\n  reference reference.cpp\n  tolerance {{ {} }}\n}}\n",
      parts.sizes, parts.tensors, parts.scalars, parts.lists, parts.tolerance);
  text.cpu = fmt::format(
      "#include <tunecheck/cpu_kernel.h>\n#include \"step.h\"\nusing tunecheck::Tensor;\n"
      "void toy({}) {{\n  volatile int config = step;\n  (void)config;\n{}\n}}\n"
      "TUNECHECK_KERNEL(toy)\n",
      parts.arguments, parts.body);
  text.reference = fmt::format(
      "#include <tunecheck/reference.h>\nusing tunecheck::Tensor;\nvoid toy({}) {{\n{}\n}}\n"
      "TUNECHECK_REFERENCE(toy)\n",
      in_double(parts.arguments), parts.reference.empty() ? parts.body : parts.reference);
  return text;
}

inline ProofResult cpu_proof_of(const KernelText& text) {
  const TemporaryFolder folder = *TemporaryFolder::create("tunecheck-test-further");
  ProveOptions options;
  options.backends = {DeviceKind::cpu};
  auto proof = prove_kernel(write_kernel(folder.path() / "toy", text), options);
  if (!proof) throw std::runtime_error(proof.error().text());
  EXPECT_EQ(proof->error, "");
  return *proof;
}

inline ProofResult cpu_proof_of(const Parts& parts) {
  return cpu_proof_of(kernel_of(parts));
}

// What is said of both configs, which must be the same; "" where both are right.
inline std::string wrong_in(const ProofResult& proof) {
  EXPECT_EQ(proof.configs.size(), 2U);
  EXPECT_EQ(proof.configs.at(0).text, proof.configs.at(1).text);
  EXPECT_EQ(proof.proved(), proof.configs.at(0).text.empty())
      << testing::PrintToString(proof.notes) << testing::PrintToString(proof.mistakes);
  return proof.configs.at(0).text;
}

// y = factor * x, row by row.
inline Parts scaled_rows() {
  Parts parts;
  parts.sizes = "smoke { rows 6  cols 16 }  full { rows 64  cols 64 }  odd { rows 3  cols 5 }";
  parts.tensors =
      "x { dtype f32  shape \"rows cols\"  access read  fill normal }\n"
      "    y { dtype f32  shape \"rows cols\"  access write }";
  parts.arguments = "Tensor<X_TYPE> x, Tensor<Y_TYPE> y";
  parts.body =
      "  for (int64_t i = 0; i < x.size(0); ++i)\n"
      "    for (int64_t j = 0; j < x.size(1); ++j)\n"
      "      y(i, j) = 3 * x(i, j);";
  return parts;
}

}  // namespace tunecheck::test
