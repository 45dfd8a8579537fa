/* In: opcodes of SPIR-V and of GLSL.std.450. Out: what they do with values. Next room:
 * spirv_flow.c. */
#include "kernel/spirv_flow.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <stddef.h>

/* Dot products of halves, newer than the headers. */
enum { OP_FIRST_MIXED_DOT = 6916, OP_LAST_MIXED_DOT = 6918 };

struct range {
  uint16_t first, last;
  uint8_t class;
};

/* Ascending. What is not here does nothing with values that matters. */
static const struct range CODES[] = {
    {SpvOpExtInst, SpvOpExtInst, VKM_CLASS_EXTENDED},
    {SpvOpFunctionCall, SpvOpFunctionCall, VKM_CLASS_CALL},
    {SpvOpImageTexelPointer, SpvOpImageTexelPointer, VKM_CLASS_CHAIN},
    {SpvOpLoad, SpvOpLoad, VKM_CLASS_LOAD},
    {SpvOpStore, SpvOpStore, VKM_CLASS_STORE},
    {SpvOpAccessChain, SpvOpPtrAccessChain, VKM_CLASS_CHAIN},
    {SpvOpInBoundsPtrAccessChain, SpvOpInBoundsPtrAccessChain, VKM_CLASS_CHAIN},
    {SpvOpVectorExtractDynamic, SpvOpTranspose, VKM_CLASS_COPY},
    {SpvOpSampledImage, SpvOpSampledImage, VKM_CLASS_COPY},
    {SpvOpImageSampleImplicitLod, SpvOpImageRead, VKM_CLASS_IMAGE_READ},
    {SpvOpImageWrite, SpvOpImageWrite, VKM_CLASS_IMAGE_WRITE},
    {SpvOpImage, SpvOpImage, VKM_CLASS_COPY},
    {SpvOpConvertFToU, SpvOpSatConvertUToS, VKM_CLASS_COPY},
    {SpvOpConvertUToPtr, SpvOpConvertUToPtr, VKM_CLASS_ADDRESS},
    {SpvOpBitcast, SpvOpBitcast, VKM_CLASS_ADDRESS},
    {SpvOpSNegate, SpvOpSNegate, VKM_CLASS_INTEGER},
    {SpvOpFNegate, SpvOpFNegate, VKM_CLASS_FLOAT},
    {SpvOpIAdd, SpvOpIAdd, VKM_CLASS_INTEGER_ADD},
    {SpvOpFAdd, SpvOpFAdd, VKM_CLASS_FLOAT_ADD},
    {SpvOpISub, SpvOpISub, VKM_CLASS_INTEGER},
    {SpvOpFSub, SpvOpFSub, VKM_CLASS_FLOAT_SUBTRACT},
    {SpvOpIMul, SpvOpIMul, VKM_CLASS_INTEGER_PRODUCT},
    {SpvOpFMul, SpvOpFMul, VKM_CLASS_PRODUCT},
    {SpvOpUDiv, SpvOpSDiv, VKM_CLASS_INTEGER},
    {SpvOpFDiv, SpvOpFDiv, VKM_CLASS_FLOAT},
    {SpvOpUMod, SpvOpSMod, VKM_CLASS_INTEGER},
    {SpvOpFRem, SpvOpFMod, VKM_CLASS_FLOAT},
    {SpvOpVectorTimesScalar, SpvOpVectorTimesScalar, VKM_CLASS_PRODUCT},
    {SpvOpMatrixTimesScalar, SpvOpDot, VKM_CLASS_MULTIPLY_ADD},
    {SpvOpIAddCarry, SpvOpSMulExtended, VKM_CLASS_INTEGER},
    {SpvOpSelect, SpvOpSelect, VKM_CLASS_SELECT},
    {SpvOpShiftRightLogical, SpvOpBitCount, VKM_CLASS_INTEGER},
    {SpvOpControlBarrier, SpvOpControlBarrier, VKM_CLASS_BARRIER},
    {SpvOpAtomicLoad, SpvOpAtomicLoad, VKM_CLASS_LOAD},
    {SpvOpAtomicStore, SpvOpAtomicXor, VKM_CLASS_ATOMIC},
    {SpvOpPhi, SpvOpPhi, VKM_CLASS_PHI},
    {SpvOpLoopMerge, SpvOpLoopMerge, VKM_CLASS_LOOP},
    {SpvOpLabel, SpvOpLabel, VKM_CLASS_LABEL},
    {SpvOpBranchConditional, SpvOpSwitch, VKM_CLASS_BRANCH},
    {SpvOpReturnValue, SpvOpReturnValue, VKM_CLASS_RETURN},
    {SpvOpImageSparseSampleImplicitLod, SpvOpImageSparseDrefGather, VKM_CLASS_IMAGE_READ},
    {SpvOpImageSparseRead, SpvOpImageSparseRead, VKM_CLASS_IMAGE_READ},
    {SpvOpGroupNonUniformElect, SpvOpGroupNonUniformShuffleDown, VKM_CLASS_GROUP},
    {SpvOpGroupNonUniformIAdd, SpvOpGroupNonUniformLogicalXor, VKM_CLASS_GROUP_REDUCE},
    {SpvOpGroupNonUniformQuadBroadcast, SpvOpGroupNonUniformQuadSwap, VKM_CLASS_GROUP},
    {SpvOpCopyLogical, SpvOpCopyLogical, VKM_CLASS_COPY},
    {SpvOpUntypedAccessChainKHR, SpvOpUntypedInBoundsAccessChainKHR, VKM_CLASS_CHAIN},
    {SpvOpSDot, SpvOpSUDotAccSat, VKM_CLASS_MULTIPLY_ADD},
    {SpvOpCooperativeMatrixLoadKHR, SpvOpCooperativeMatrixLoadKHR, VKM_CLASS_MATRIX_LOAD},
    {SpvOpCooperativeMatrixStoreKHR, SpvOpCooperativeMatrixStoreKHR, VKM_CLASS_MATRIX_STORE},
    {SpvOpCooperativeMatrixMulAddKHR, SpvOpCooperativeMatrixMulAddKHR, VKM_CLASS_MATRIX},
    {SpvOpCooperativeMatrixLoadNV, SpvOpCooperativeMatrixLoadNV, VKM_CLASS_MATRIX_LOAD},
    {SpvOpCooperativeMatrixStoreNV, SpvOpCooperativeMatrixStoreNV, VKM_CLASS_MATRIX_STORE},
    {SpvOpCooperativeMatrixMulAddNV, SpvOpCooperativeMatrixMulAddNV, VKM_CLASS_MATRIX},
    {SpvOpCooperativeMatrixLoadTensorNV, SpvOpCooperativeMatrixLoadTensorNV, VKM_CLASS_MATRIX_LOAD},
    {SpvOpCooperativeMatrixStoreTensorNV, SpvOpCooperativeMatrixStoreTensorNV,
     VKM_CLASS_MATRIX_STORE},
    {SpvOpRawAccessChainNV, SpvOpRawAccessChainNV, VKM_CLASS_CHAIN},
    {SpvOpAtomicFMinEXT, SpvOpAtomicFMaxEXT, VKM_CLASS_ATOMIC},
    {SpvOpAtomicFAddEXT, SpvOpAtomicFAddEXT, VKM_CLASS_ATOMIC},
    {OP_FIRST_MIXED_DOT, OP_LAST_MIXED_DOT, VKM_CLASS_MULTIPLY_ADD},
};

static const struct range EXTENDED[] = {
    {GLSLstd450Round, GLSLstd450Trunc, VKM_CLASS_FLOAT},
    {GLSLstd450FAbs, GLSLstd450FAbs, VKM_CLASS_FLOAT},
    {GLSLstd450SAbs, GLSLstd450SAbs, VKM_CLASS_INTEGER},
    {GLSLstd450FSign, GLSLstd450FSign, VKM_CLASS_FLOAT},
    {GLSLstd450SSign, GLSLstd450SSign, VKM_CLASS_INTEGER},
    {GLSLstd450Floor, GLSLstd450Degrees, VKM_CLASS_FLOAT},
    {GLSLstd450Sin, GLSLstd450Atan2, VKM_CLASS_TRIGONOMETRY},
    {GLSLstd450Pow, GLSLstd450Exp, VKM_CLASS_EXPONENTIAL},
    {GLSLstd450Log, GLSLstd450Log, VKM_CLASS_LOGARITHM},
    {GLSLstd450Exp2, GLSLstd450Exp2, VKM_CLASS_EXPONENTIAL},
    {GLSLstd450Log2, GLSLstd450Log2, VKM_CLASS_LOGARITHM},
    {GLSLstd450Sqrt, GLSLstd450InverseSqrt, VKM_CLASS_ROOT},
    {GLSLstd450Determinant, GLSLstd450ModfStruct, VKM_CLASS_FLOAT},
    {GLSLstd450FMin, GLSLstd450SMax, VKM_CLASS_EXTREME},
    {GLSLstd450FClamp, GLSLstd450SmoothStep, VKM_CLASS_FLOAT},
    {GLSLstd450Fma, GLSLstd450Fma, VKM_CLASS_MULTIPLY_ADD},
    {GLSLstd450Frexp, GLSLstd450Ldexp, VKM_CLASS_FLOAT},
    {GLSLstd450PackSnorm4x8, GLSLstd450UnpackDouble2x32, VKM_CLASS_COPY},
    {GLSLstd450Length, GLSLstd450Refract, VKM_CLASS_FLOAT},
    {GLSLstd450FindILsb, GLSLstd450FindUMsb, VKM_CLASS_INTEGER},
    {GLSLstd450NMin, GLSLstd450NMax, VKM_CLASS_EXTREME},
    {GLSLstd450NClamp, GLSLstd450NClamp, VKM_CLASS_FLOAT},
};

static enum vkm_spirv_class find(const struct range *ranges, size_t count, uint32_t number) {
  size_t low = 0;
  while (low < count) {
    size_t middle = low + (count - low) / 2;
    if (number > ranges[middle].last) {
      low = middle + 1;
    } else if (number < ranges[middle].first) {
      count = middle;
    } else {
      return (enum vkm_spirv_class)ranges[middle].class;
    }
  }
  return VKM_CLASS_OTHER;
}

enum vkm_spirv_class vkm_spirv_class(uint32_t opcode) {
  return find(CODES, sizeof CODES / sizeof CODES[0], opcode);
}

enum vkm_spirv_class vkm_spirv_extended_class(uint32_t number) {
  return find(EXTENDED, sizeof EXTENDED / sizeof EXTENDED[0], number);
}
