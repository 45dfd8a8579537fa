// Profiles judged by support/validate_profiles.
//
// In: paths of profiles. Out: what is wrong with them, empty when nothing is. Asks the validator
// that serves at the socket VKM_VALIDATOR (scripts/test starts one: to start Python and read the
// schema takes longer than most tests), and runs the script itself where there is none. Any thread.
#ifndef VALIDATE_CLIENT_H
#define VALIDATE_CLIENT_H

#include <string>
#include <vector>

std::string ProfileFaults(const std::vector<std::string> &files);

#endif
