"""Protocol buffers by hand: the wire format, and the fields of Perfetto's messages that a trace may
hold. The numbers are those that Perfetto publishes (protos/perfetto/trace), not those of our own
.proto, which this is to check. In: bytes. Out: dictionaries by field name. Next: packets.py."""

import struct

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5


class Damaged(Exception):
    """The bytes are no message; `at` is where."""

    def __init__(self, at, what):
        super().__init__(f"byte {at}: {what}")
        self.at, self.what = at, what


# message: {number: (name, type, repeated)}; a type is a scalar's or a message's name.
MESSAGES = {}
SCALARS = {"uint32": VARINT, "uint64": VARINT, "int32": VARINT, "int64": VARINT, "bool": VARINT,
           "fixed64": FIXED64, "double": FIXED64, "string": BYTES, "bytes": BYTES}


def message(name, text):
    fields = {}
    for field in text.split():
        number, kind, rest = field.split(":")
        fields[int(number)] = (rest.rstrip("*"), kind, rest.endswith("*"))
    MESSAGES[name] = fields


message("TracePacket", """6:ClockSnapshot:clock_snapshot 8:uint64:timestamp
  10:uint32:trusted_packet_sequence_id 11:TrackEvent:track_event 12:InternedData:interned_data
  13:uint32:sequence_flags 53:GpuRenderStageEvent:gpu_render_stage_event
  58:uint32:timestamp_clock_id 59:TracePacketDefaults:trace_packet_defaults
  60:TrackDescriptor:track_descriptor 87:bool:first_packet_on_sequence
  42:bool:previous_packet_dropped 89:TraceUuid:trace_uuid""")
message("TraceUuid", "1:int64:msb 2:int64:lsb")
message("TracePacketDefaults", """58:uint32:timestamp_clock_id
  11:TrackEventDefaults:track_event_defaults""")
message("TrackEventDefaults", "11:uint64:track_uuid")
message("ClockSnapshot", "1:Clock:clocks* 2:uint32:primary_trace_clock")
message("Clock", """1:uint32:clock_id 2:uint64:timestamp 3:bool:is_incremental
  4:uint64:unit_multiplier_ns""")
message("TrackDescriptor", """1:uint64:uuid 5:uint64:parent_uuid 2:string:name
  10:string:static_name 14:string:description 3:ProcessDescriptor:process
  4:ThreadDescriptor:thread 8:CounterDescriptor:counter
  9:bool:disallow_merging_with_system_tracks 11:int32:child_ordering 12:int32:sibling_order_rank
  15:int32:sibling_merge_behavior 16:string:sibling_merge_key 17:uint64:sibling_merge_key_int
  19:int32:process_ordering 20:int32:thread_ordering""")
message("ProcessDescriptor", """1:int32:pid 2:string:cmdline* 6:string:process_name
  5:int32:process_priority 7:int64:start_timestamp_ns 8:string:process_labels*""")
message("ThreadDescriptor", "1:int32:pid 2:int64:tid 5:string:thread_name")
message("CounterDescriptor", """1:int32:type 2:string:categories* 3:int32:unit
  4:int64:unit_multiplier 5:bool:is_incremental 6:string:unit_name""")
message("TrackEvent", """3:uint64:category_iids* 22:string:categories* 10:uint64:name_iid
  23:string:name 9:int32:type 11:uint64:track_uuid 30:int64:counter_value
  44:double:double_counter_value 47:fixed64:flow_ids* 48:fixed64:terminating_flow_ids*
  52:uint64:correlation_id 53:string:correlation_id_str 4:DebugAnnotation:debug_annotations*
  3000:GpuCorrelation:gpu_correlation 3001:int32:gpu_api""")
message("GpuCorrelation", """1:uint64:render_stage_submission_event_ids*
  2:uint64:render_stage_wait_event_ids*""")
message("DebugAnnotation", """1:uint64:name_iid 10:string:name 2:bool:bool_value
  3:uint64:uint_value 4:int64:int_value 5:double:double_value 7:uint64:pointer_value
  6:string:string_value 17:uint64:string_value_iid 11:DebugAnnotation:dict_entries*
  12:DebugAnnotation:array_values*""")
message("InternedData", """1:Interned:event_categories* 2:Interned:event_names*
  3:Interned:debug_annotation_names* 29:InternedBytes:debug_annotation_string_values*
  23:GraphicsContext:graphics_contexts* 24:Specification:gpu_specifications*
  1000:ComputeKernel:compute_kernels* 1001:Interned:compute_arg_names*""")
message("Interned", "1:uint64:iid 2:string:name")
message("InternedBytes", "1:uint64:iid 2:bytes:str")
message("GraphicsContext", "1:uint64:iid 2:int32:pid 3:int32:api")
message("Specification", "1:uint64:iid 2:string:name 3:string:description 4:int32:category")
message("ComputeKernel", """1:uint64:iid 2:string:name 3:string:demangled_name 4:string:arch
  5:ComputeArg:args*""")
message("ComputeArg", """1:uint64:name_iid 2:string:name 3:int64:int_value 4:uint64:uint_value
  5:double:double_value 6:string:string_value 7:uint64:string_value_iid""")
message("GpuRenderStageEvent", """1:uint64:event_id 2:uint64:duration 13:uint64:hw_queue_iid
  14:uint64:stage_iid 11:int32:gpu_id 5:uint64:context 10:uint32:submission_id
  6:ExtraData:extra_data* 9:uint64:render_pass_handle 16:uint64:render_pass_instance_id
  12:uint64:command_buffer_handle 17:string:name 20:uint64:name_iid 18:uint64:event_wait_ids*
  19:uint64:kernel_iid 21:ComputeKernelLaunch:launch""")
message("ExtraData", "1:string:name 2:string:value")
message("ComputeKernelLaunch", "1:Dim3:grid_size 2:Dim3:workgroup_size 3:ComputeArg:args*")
message("Dim3", "1:uint32:x 2:uint32:y 3:uint32:z")


def read_varint(data, at, end):
    value, shift = 0, 0
    begin = at
    while True:
        if at >= end:
            raise Damaged(begin, "a number ends beyond its message")
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at += 1
        if byte < 0x80:
            break
        shift += 7
        if shift > 63:
            raise Damaged(begin, "a number of more than ten bytes")
    if value >= 1 << 64:
        raise Damaged(begin, "a number of more than 64 bits")
    return value, at


def read_field(data, at, end):
    """Number, wire type, value (bytes: their begin and end), and where the next field is."""
    begin = at
    key, at = read_varint(data, at, end)
    number, wire = key >> 3, key & 7
    if number == 0:
        raise Damaged(begin, "a field of number 0")
    if wire == VARINT:
        value, at = read_varint(data, at, end)
        return number, wire, value, at
    if wire == BYTES:
        size, at = read_varint(data, at, end)
    elif wire in (FIXED64, FIXED32):
        size = 8 if wire == FIXED64 else 4
    else:
        raise Damaged(begin, f"wire type {wire} of field {number}")
    if at + size > end:
        raise Damaged(begin, f"field {number} ends {at + size - end} bytes beyond its message")
    return number, wire, (at, at + size), at + size


def signed(value, bits):
    value &= (1 << 64) - 1
    if value >> 63:
        value -= 1 << 64
    if bits == 32 and not -(1 << 31) <= value < 1 << 31:
        raise ValueError("beyond 32 bits")
    return value


def scalar(kind, data, value):
    if kind in ("int32", "int64"):
        return signed(value, int(kind[3:]))
    if kind == "uint32" and value >> 32:
        raise ValueError("beyond 32 bits")
    if kind == "bool":
        return bool(value)
    if kind == "double":
        return struct.unpack_from("<d", data, value[0])[0]
    if kind == "fixed64":
        return struct.unpack_from("<Q", data, value[0])[0]
    if kind == "bytes":
        return bytes(data[value[0]:value[1]])
    if kind == "string":
        return bytes(data[value[0]:value[1]]).decode("utf-8")
    return value


def packed(kind, data, begin, end):
    """Numbers of a repeated field one behind the other, as newer writers put them."""
    at = begin
    while at < end:
        if SCALARS[kind] == VARINT:
            value, at = read_varint(data, at, end)
        else:
            if at + 8 > end:
                raise Damaged(at, "a packed number is cut")
            value, at = (at, at + 8), at + 8
        yield scalar(kind, data, value)


def decode(data, begin, end, name):
    """A message as a dictionary; what is absent is absent. Raises Damaged."""
    fields, result, at = MESSAGES[name], {}, begin
    while at < end:
        where = at
        number, wire, value, at = read_field(data, at, end)
        if number not in fields:
            raise Damaged(where, f"{name} has no field {number} here")
        field, kind, repeated = fields[number]
        wanted = SCALARS.get(kind, BYTES)
        try:
            if repeated and wire == BYTES and wanted != BYTES:
                result.setdefault(field, []).extend(packed(kind, data, *value))
                continue
            if wire != wanted:
                raise Damaged(where, f"{name}.{field} has wire type {wire}")
            found = (scalar(kind, data, value) if kind in SCALARS
                     else decode(data, *value, kind))
        except ValueError as error:
            raise Damaged(where, f"{name}.{field}: {error}") from error
        if repeated:
            result.setdefault(field, []).append(found)
        elif field in result:
            raise Damaged(where, f"{name}.{field} stands twice")
        else:
            result[field] = found
    return result


def varint(value):
    value &= (1 << 64) - 1
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


def encode(values, name):
    """The other way round, for traces that a test makes: fields by number."""
    encoded = bytearray()
    for number, (field, kind, repeated) in sorted(MESSAGES[name].items()):
        if field not in values:
            continue
        for value in values[field] if repeated else [values[field]]:
            wire = SCALARS.get(kind, BYTES)
            encoded += varint(number << 3 | wire)
            if wire == VARINT:
                encoded += varint(int(value))
            elif wire == FIXED64:
                encoded += struct.pack("<d" if kind == "double" else "<Q", value)
            else:
                inner = (value.encode("utf-8", "surrogateescape") if kind == "string"
                         else value if kind == "bytes" else encode(value, kind))
                encoded += varint(len(inner)) + inner
    return bytes(encoded)
