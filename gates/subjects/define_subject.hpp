// SEAMGATE_SUBJECT(op, Module): the implementation that this compilation is, registered. The build says by definitions which
// one it is (cmake/SeamgateOps.cmake).
#pragma once

#include <memory>
#include <string>

#include "gates/plugin/host.hpp"
#include "gates/subjects/subject.hpp"

#if __has_include("seamgate_mutant_info.hpp")
#include "seamgate_mutant_info.hpp"
#endif

#define SEAMGATE_TABLE(name, op)                                  \
  namespace seamgate::kernels::name {                             \
  const KernelTable& op##_table();                                \
  }
#define SEAMGATE_EXPAND_TABLE(name, op) SEAMGATE_TABLE(name, op)

#ifdef SEAMGATE_CHECKED
#define SEAMGATE_CHECKED_DECLARED(op) SEAMGATE_EXPAND_TABLE(SEAMGATE_CHECKED, op)
#define SEAMGATE_CHECKED_ADDRESS(op) (&::seamgate::kernels::SEAMGATE_CHECKED::op##_table())
#else
#define SEAMGATE_CHECKED_DECLARED(op)
#define SEAMGATE_CHECKED_ADDRESS(op) nullptr
#endif

#ifdef SEAMGATE_CUDA
#define SEAMGATE_CUDA_DECLARED(op) SEAMGATE_EXPAND_TABLE(SEAMGATE_CUDA, op)
#define SEAMGATE_CUDA_ADDRESS(op) (&::seamgate::kernels::SEAMGATE_CUDA::op##_table())
#else
#define SEAMGATE_CUDA_DECLARED(op)
#define SEAMGATE_CUDA_ADDRESS(op) nullptr
#endif

#ifdef SEAMGATE_MUTANT_ID
#define SEAMGATE_REGISTER(op, Module, implementation)                                                                      \
  const ::seamgate::gates::MutantInfo info{SEAMGATE_MUTANT_ID, #op, SEAMGATE_MUTANT_TITLE, SEAMGATE_MUTANT_DEFECT,         \
                                           SEAMGATE_MUTANT_GATE, ""};                                                      \
  const ::seamgate::gates::RegisterImplementation registered(implementation("mutant:" SEAMGATE_MUTANT_ID), &info);
#else
#define SEAMGATE_REGISTER(op, Module, implementation)                                                                                \
  const ::seamgate::gates::RegisterImplementation registered(implementation(std::string(::seamgate::gates::shipped_name)), nullptr); \
  const ::seamgate::gates::plugin::RegisterHost host(                                                                                \
      #op, [](const kernels::KernelTable* cpu, const kernels::KernelTable* cuda) -> std::unique_ptr<Implementation> {                \
        return std::make_unique<Subject<plugin::Hosted<seam::SEAM_BUILD::Module>>>("hosted", Tables{cpu, nullptr, cuda});            \
      });
#endif

#define SEAMGATE_SUBJECT(op, Module)                                                                                        \
  SEAMGATE_EXPAND_TABLE(SEAMGATE_PLAIN, op)                                                                                 \
  SEAMGATE_CHECKED_DECLARED(op)                                                                                             \
  SEAMGATE_CUDA_DECLARED(op)                                                                                                \
  namespace seamgate::gates::SEAM_BUILD {                                                                                   \
  namespace {                                                                                                               \
  std::unique_ptr<Implementation> implementation(std::string name) {                                                        \
    return std::make_unique<Subject<seam::SEAM_BUILD::Module>>(                                                             \
        std::move(name), Tables{&::seamgate::kernels::SEAMGATE_PLAIN::op##_table(), SEAMGATE_CHECKED_ADDRESS(op),           \
                                SEAMGATE_CUDA_ADDRESS(op)});                                                                \
  }                                                                                                                         \
  SEAMGATE_REGISTER(op, Module, implementation)                                                                             \
  }                                                                                                                         \
  }
