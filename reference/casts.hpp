// What a cast inside a definition does, by the purpose of the evaluation.
//
// A definition gets one of these policies and calls it for every cast that its variant declares between
// operations (the last one, to the output's dtype, belongs to the comparison):
//
//   cast(value, format)         the backward differentiates as if the cast were not there
//   cast.kept(value, format)    the backward reads the value that the forward rounded
//   cast.stored(value, format)  as kept, and in f32 too: the value goes through memory
//
// The first two are the identity for f32, where the statistics are kept anyway. Derivatives of all three are
// 1.
#pragma once

#include "reference/choices.hpp"
#include "reference/reverse_tape.hpp"
#include "reference/rounding.hpp"
#include "reference/truth.hpp"

namespace seamgate::reference {

// Real arithmetic; what the derivative checks differentiate.
struct NoRounding {
  template <class T>
  T operator()(T value, Format) const {
    return value;
  }
  template <class T>
  T kept(T value, Format) const {
    return value;
  }
  template <class T>
  T stored(T value, Format) const {
    return value;
  }
};

// The value that correct rounding gives, and the two that it would give had the value been off by the bar.
template <class R>
struct AdmittedRoundings {
  R first, lo, hi;

  AdmittedRoundings(const R& value, Format format) : first(value), lo(value), hi(value) {
    using std::abs;
    using std::isfinite;
    if (!isfinite(value)) return;
    const R d = R(bar) * R(abs(value));
    lo = round_to(R(value - d), format);
    hi = round_to(R(value + d), format);
    first = lo == hi ? lo : round_to(value, format);
  }
};

// Outputs on numbers with alternatives. f32 has none: its neighbours are nearer than the bar.
template <class R>
struct ChoiceRounding {
  Choices<R> operator()(const Choices<R>& value, Format format) const {
    return format == Format::f32 ? value : stored(value, format);
  }
  Choices<R> kept(const Choices<R>& value, Format format) const { return (*this)(value, format); }
  Choices<R> stored(const Choices<R>& value, Format format) const {
    if (format == Format::f32)
      return choices_detail::each(value, [&](const R& v) { return round_to(v, format); });
    const AdmittedRoundings<R> rounded(value.first, format);
    Choices<R> result(rounded.first);
    const auto admit = [&result](const AdmittedRoundings<R>& more) {
      result.admit(more.first);
      result.admit(more.lo);
      result.admit(more.hi);
    };
    if (rounded.lo < rounded.hi) admit(rounded);
    for (const R& other : value.others) admit(AdmittedRoundings<R>(other, format));
    return result;
  }
};

// Outputs on plain numbers, where no cast has alternatives; notes whether one has.
template <class R>
struct PlainRounding {
  bool& has_alternatives;

  R operator()(const R& value, Format format) const {
    return format == Format::f32 ? value : stored(value, format);
  }
  R kept(const R& value, Format format) const { return (*this)(value, format); }
  R stored(const R& value, Format format) const {
    if (format != Format::f32) has_alternatives = true;
    return round_to(value, format);
  }
};

// Gradients on recorded numbers; notes whether the outputs need numbers with alternatives.
template <class R>
struct TapeRounding {
  bool& has_alternatives;

  Var<R> operator()(Var<R> value, Format format) const {
    if (format != Format::f32) has_alternatives = true;
    return value;
  }
  Var<R> kept(Var<R> value, Format format) const {
    return format == Format::f32 ? value : stored(value, format);
  }
  Var<R> stored(Var<R> value, Format format) const {
    if (format == Format::f32) {
      const R rounded = round_to(value.value(), format);
      return value.tape->push_cast(value, rounded, rounded, rounded);
    }
    has_alternatives = true;
    const AdmittedRoundings<R> rounded(value.value(), format);
    return value.tape->push_cast(value, rounded.first, rounded.lo, rounded.hi);
  }
};

}  // namespace seamgate::reference
