// Student's t distribution against scipy 1.10.1, whose numbers are written down here (stats.t.ppf
// polished by Newton's steps on special.stdtr, checked by special.betaincinv; stats.t.cdf), and
// against the closed form that one and two degrees of freedom have.
#include <gtest/gtest.h>

#include <cmath>

extern "C" {
#include "measure/student.h"
}

namespace {

constexpr double kProbabilities[] = {0.5001, 0.6, 0.75, 0.9, 0.975, 0.995, 0.9999};
constexpr struct {
  double freedom;
  double quantiles[7];
} kQuantiles[] = {
    {1,
     {0.00031415927569433319, 0.32491969623290645, 0.99999999999999833, 3.0776835371752513,
      12.706204736174691, 63.656741162871164, 3183.0987571183709}},
    {1.5,
     {0.00029348322856196935, 0.30074539256979543, 0.87259466254157114, 2.1963984175655376,
      6.0166631044279235, 17.820310514462648, 242.26409884661533}},
    {2,
     {0.00028284271813149757, 0.2886751345948127, 0.81649658092772615, 1.885618083164126,
      4.302652729749461, 9.9248432009182945, 70.700071074968861}},
    {3.7000000000000002,
     {0.0002679804542167628, 0.27216446429206947, 0.74648515348245414, 1.5575658388615066,
      2.8675207071911855, 4.8692522532278293, 14.780396445537718}},
    {5,
     {0.00026343055607014343, 0.26718086570414495, 0.7266868438004227, 1.4758840488244807,
      2.5705818356363141, 4.0321429835552207, 9.6775663008820096}},
    {8,
     {0.00025859905464784098, 0.26192109674883224, 0.70638661264483849, 1.3968153097438651,
      2.3060041352041658, 3.3553873313333957, 6.4419998210211196}},
    {10,
     {0.00025699780660497765, 0.26018482949208033, 0.69981206131243212, 1.3721836411103356,
      2.2281388519862735, 3.1692726726169465, 5.6938201014577494}},
    {19.989999999999998,
     {0.0002538160476991842, 0.25674446473298512, 0.68696083065281266, 1.3253633597462768,
      2.0860303454555837, 2.8454872255695087, 4.539004504779399}},
    {20,
     {0.00025381446253525775, 0.25674275385450201, 0.68695449644880346, 1.3253407069850469,
      2.085963447265863, 2.8453397097861113, 4.5385208537937087}},
    {20.010000000000002,
     {0.00025381287896359713, 0.2567410446976422, 0.68694816867399533, 1.3253180776280937,
      2.0858966199772544, 2.8451923549985079, 4.5380377691935516}},
    {30,
     {0.0002527600253935263, 0.25560536495191283, 0.68275569332129249, 1.3104150253913953,
      2.0422724563012395, 2.7499956535672228, 4.2339859572720142}},
    {100,
     {0.00025129026070809654, 0.25402218245822777, 0.6769510430114718, 1.290074761346516,
      1.9839715185235522, 2.6258905214380204, 3.8615997909500837}},
    {1000.5,
     {0.0002507254722978705, 0.25341448214466522, 0.67473504192142686, 1.2823982978092316,
      1.9623378924593493, 2.5807522321743104, 3.7328446675095699}},
    {1000000,
     {0.00025066289275371814, 0.25334717053784184, 0.6744899955310879, 1.2815524121299386,
      1.9599663568141066, 2.5758342201053339, 3.719030274762571}},
};

constexpr struct {
  double t, freedom, below;
} kBelow[] = {
    {-2.5, 4.3, 0.03122403731810567},     {-40, 3, 1.719034039457927e-05},
    {-0.001, 7, 0.49961500862249941},     {3, 2.2, 0.95748965508729322},
    {-6, 1000000, 9.869249061772215e-10}, {-100000, 1, 3.1830988618317035e-06},
    {0.3, 100000, 0.61791111040483115},
};

void ExpectNear(double value, double expected, double freedom, double at) {
  EXPECT_NEAR(value, expected, 1e-9 * std::fabs(expected)) << freedom << " at " << at;
}

} // namespace

TEST(MeasureStudent, QuantilesAreThoseOfScipy) {
  for (const auto &row : kQuantiles) {
    for (int i = 0; i < 7; i++) {
      double t = vkm_student_quantile(kProbabilities[i], row.freedom);
      ExpectNear(t, row.quantiles[i], row.freedom, kProbabilities[i]);
    }
  }
  EXPECT_EQ(vkm_student_quantile(0.5, 7), 0);
}

TEST(MeasureStudent, ProbabilitiesAreThoseOfScipyInTheTailToo) {
  for (const auto &row : kBelow) {
    ExpectNear(vkm_student_cdf(row.t, row.freedom), row.below, row.freedom, row.t);
  }
  EXPECT_EQ(vkm_student_cdf(0, 5), 0.5);
}

TEST(MeasureStudent, ClosedFormsOfOneAndTwoDegreesOfFreedom) {
  for (int i = -80; i <= 80; i++) {
    double t = 0.37 * i;
    ExpectNear(vkm_student_cdf(t, 1), 0.5 + std::atan(t) / M_PI, 1, t);
    double two =
        t < 0 ? 1 / (t * t + 2 - t * std::sqrt(t * t + 2)) : 0.5 + t / (2 * std::sqrt(t * t + 2));
    ExpectNear(vkm_student_cdf(t, 2), two, 2, t);
  }
}

TEST(MeasureStudent, QuantileAndProbabilityAreInverse) {
  for (int i = 0; i < 27; i++) {
    double freedom = std::pow(1.7, i);
    for (int j = 0; j < 21; j++) {
      double p = 0.002 + 0.0497 * j;
      double t = vkm_student_quantile(p, freedom);
      EXPECT_NEAR(vkm_student_cdf(t, freedom), p, 1e-11) << freedom;
      EXPECT_NEAR(vkm_student_quantile(1 - p, freedom), -t, 1e-9 * std::fabs(t)) << freedom;
    }
  }
}

TEST(MeasureStudent, ExtremesEndAndAreFinite) {
  EXPECT_TRUE(std::isfinite(vkm_student_quantile(1 - 1e-15, 1)));
  EXPECT_GE(vkm_student_cdf(-1e300, 1), 0);
  EXPECT_EQ(vkm_student_cdf(1e300, 30), 1);
  EXPECT_GT(vkm_student_quantile(0.975, 0.05), 1e20);
}
