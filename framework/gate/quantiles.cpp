#include "gate/quantiles.hpp"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

namespace tunecheck::gate {

double normal_quantile(double probability) {
  return boost::math::quantile(boost::math::normal(), probability);
}

double normal_tail(double value) {
  return boost::math::cdf(boost::math::complement(boost::math::normal(), value));
}

double student_quantile(double degrees_of_freedom, double probability) {
  return boost::math::quantile(boost::math::students_t(degrees_of_freedom), probability);
}

}  // namespace tunecheck::gate
