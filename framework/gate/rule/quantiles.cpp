#include "gate/rule/quantiles.hpp"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

namespace tunecheck::gate {
namespace {

// Without this, they are computed as long double, which takes several times as long.
using Policy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
using Normal = boost::math::normal_distribution<double, Policy>;
using Student = boost::math::students_t_distribution<double, Policy>;

}  // namespace

double normal_quantile(double probability) {
  return boost::math::quantile(Normal(), probability);
}

double normal_tail(double value) {
  return boost::math::cdf(boost::math::complement(Normal(), value));
}

double student_quantile(double degrees_of_freedom, double probability) {
  return boost::math::quantile(Student(degrees_of_freedom), probability);
}

}  // namespace tunecheck::gate
