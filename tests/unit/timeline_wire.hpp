// Bytes of a trace as fields, by the rules of the wire alone: knows neither the repository's
// description of the messages nor the library that packs them.
#ifndef TIMELINE_WIRE_HPP
#define TIMELINE_WIRE_HPP

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace wire {

class Message {
public:
  struct Field {
    uint32_t number;
    uint64_t value;    // of a number
    std::string bytes; // of anything with a length
  };

  Message() = default;
  explicit Message(const std::string &bytes) {
    size_t at = 0;
    while (at < bytes.size()) {
      const uint64_t tag = varint(bytes, at);
      Field field{static_cast<uint32_t>(tag >> 3), 0, {}};
      switch (tag & 7) {
      case 0:
        field.value = varint(bytes, at);
        break;
      case 1:
        field.value = fixed64(bytes, at);
        break;
      case 2:
        field.bytes = block(bytes, at);
        break;
      default:
        throw std::runtime_error("a type of field that is not used");
      }
      fields_.push_back(field);
    }
  }

  bool has(uint32_t number) const {
    return find(number) != nullptr;
  }
  // The last one counts.
  uint64_t number(uint32_t number, uint64_t otherwise = 0) const {
    const Field *field = find(number);
    return field != nullptr ? field->value : otherwise;
  }
  std::string text(uint32_t number) const {
    const Field *field = find(number);
    return field != nullptr ? field->bytes : std::string();
  }
  double real(uint32_t number) const {
    const uint64_t bits = this->number(number);
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  Message message(uint32_t number) const {
    return Message(text(number));
  }
  std::vector<Message> messages(uint32_t number) const {
    std::vector<Message> all;
    for (const Field &field : fields_) {
      if (field.number == number) {
        all.emplace_back(field.bytes);
      }
    }
    return all;
  }
  std::vector<uint64_t> numbers(uint32_t number) const {
    std::vector<uint64_t> all;
    for (const Field &field : fields_) {
      if (field.number == number) {
        all.push_back(field.value);
      }
    }
    return all;
  }

private:
  static uint64_t varint(const std::string &bytes, size_t &at) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes.at(at++));
      value |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) {
        return value;
      }
    }
    throw std::runtime_error("a number without an end");
  }
  static uint64_t fixed64(const std::string &bytes, size_t &at) {
    uint64_t value = 0;
    for (unsigned i = 0; i < 8; i++) {
      value |= static_cast<uint64_t>(static_cast<unsigned char>(bytes.at(at++))) << (8 * i);
    }
    return value;
  }
  static std::string block(const std::string &bytes, size_t &at) {
    const uint64_t length = varint(bytes, at);
    if (length > bytes.size() - at) {
      throw std::runtime_error("a block that is cut");
    }
    std::string found = bytes.substr(at, length);
    at += length;
    return found;
  }
  const Field *find(uint32_t number) const {
    const Field *found = nullptr;
    for (const Field &field : fields_) {
      found = field.number == number ? &field : found;
    }
    return found;
  }

  std::vector<Field> fields_;
};

} // namespace wire

#endif
