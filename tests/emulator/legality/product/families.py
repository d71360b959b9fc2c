"""The families of instructions as the inventory has them, and which words exclude one another."""
import collections, re, subprocess

# An instruction's name may be of several words: these, else the first word alone.
NAMES = """add.cc sub.cc mad.cc shfl.sync ld.global.nc st.async st.bulk multimem.ld_reduce multimem.st multimem.red cvt.pack cp.async.commit_group
cp.async.wait_group cp.async.wait_all cp.async.mbarrier.arrive cp.async.bulk.commit_group cp.async.bulk.wait_group cp.async.bulk.prefetch.tensor
cp.async.bulk.prefetch cp.async.bulk.tensor cp.async.bulk cp.async cp.reduce.async.bulk.tensor cp.reduce.async.bulk tensormap.replace tensormap.cp_fenceproxy
brx.idx bar.warp.sync barrier.cluster.arrive barrier.cluster.wait fence.proxy membar.proxy red.async vote.sync redux.sync elect.sync
clusterlaunchcontrol.try_cancel clusterlaunchcontrol.query_cancel mbarrier.init mbarrier.inval mbarrier.arrive mbarrier.arrive_drop mbarrier.expect_tx
mbarrier.complete_tx mbarrier.test_wait mbarrier.try_wait mbarrier.pending_count wmma.load wmma.store wmma.mma mma.sp::ordered_metadata mma.sp wgmma.fence
wgmma.commit_group wgmma.wait_group wgmma.mma_async.sp wgmma.mma_async tcgen05.alloc tcgen05.dealloc tcgen05.relinquish_alloc_permit tcgen05.ld.red tcgen05.ld
tcgen05.st tcgen05.wait::ld tcgen05.wait::st tcgen05.cp tcgen05.shift tcgen05.mma.ws.sp tcgen05.mma.ws tcgen05.mma.sp tcgen05.mma tcgen05.commit griddepcontrol
createpolicy.range createpolicy.fractional createpolicy.cvt""".split()

# Of each line at most one word stands in an instruction; a word of no line may be there or not.
EXCLUSIVE = [line.split() for line in """
rn rz rm rp rna rs rni rzi rmi rpi
approx full
hi lo wide
sat satfinite
weak volatile relaxed acquire release acq_rel sc
cta cluster gpu sys gl
const global local param param::entry param::func shared shared::cta shared::cluster
ca cg cs lu cv wb wt
L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate
L2::evict_normal L2::evict_first L2::evict_last L2::evict_unchanged
L2::64B L2::128B L2::256B
v2 v4 v8
eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan
and or xor add min max inc dec exch cas popc
up down bfly idx
all any uni ballot
clamp wrap zero trap
f4e b4e rc8 ecl ecr rc16
1d 2d 3d 4d 5d a1d a2d cube acube 2dms a2dms
base level grad
r g b a
width height depth channel_data_type channel_order normalized_coords array_size num_mipmap_levels num_samples force_unnormalized_coords filter_mode addr_mode_0 addr_mode_1 addr_mode_2 memory_layout
tile tile::gather4 tile::scatter4 im2col im2col::w im2col::w::128 im2col_no_offs
cta_group::1 cta_group::2
scale_vec::1X scale_vec::2X scale_vec::4X block16 block32
kind::f16 kind::tf32 kind::f8f6f4 kind::i8 kind::mxf8f6f4 kind::mxf4 kind::mxf4nvf4
acc::f16 acc::f32
sync_restrict::shared::cta sync_restrict::shared::cluster
shr7 shr15
x1 x2 x4 x8 x16 x32 x64 x128
warpx2::02_13 warpx2::01_23 warpx4
128x256b 4x256b 128x128b 64x128b 32x128b
16x64b 16x128b 16x256b 32x32b 16x32bx2
finite infinite number notanumber normal subnormal
get_first_ctaid get_first_ctaid::x get_first_ctaid::y get_first_ctaid::z is_canceled
alias async async.global tensormap async::generic tensormap::generic
""".strip().splitlines()]
PATTERNS = [re.compile(r"m\d+n\d+(k\d+)?$"), re.compile(r"collector::")]

TYPES = """u2 s2 u4 s4 b1 b2 u8 s8 b8 u16 s16 b16 u32 s32 b32 u64 s64 b64 b128 pred f16 bf16 tf32 f32 f64 u16x2 s16x2 f16x2 bf16x2 f32x2 u8x4 s8x4 e2m1 e2m3 e3m2
e4m3 e5m2 ue4m3 ue8m0 e2m1x2 e2m3x2 e3m2x2 e4m3x2 e5m2x2 ue8m0x2 e2m1x4 e2m3x4 e3m2x4 e4m3x4 e5m2x4 b1024""".split()
# ptxas passes over these words beside nearly every instruction; they say something in tensormap.replace, testp, ldmatrix, multimem and istypep alone.
IGNORED = set("""rank finite infinite normal subnormal number notanumber box_dim global_dim global_stride element_stride global_address elemtype fill_mode
swizzle_mode swizzle_atomicity interleave_layout acc::f16 acc::f32 b8x16 b4x16_p64 b6x16_p32 b2 texref surfref samplerref""".split())
CACHE_WORDS = re.compile(r"(ca|cg|cs|lu|cv|wb|wt|L[12]::.*)$")
NAME_OF = sorted(NAMES, key=lambda name: -name.count("."))


class Family:
    def __init__(self, name):
        self.name, self.words, self.shapes, self.type_lists, self.mnemonics = name, set(), collections.Counter(), collections.Counter(), set()


def split_words(mnemonic):
    """-> the instruction's name, its words, its types; .row and .col have places and keep them."""
    name = next((n for n in NAME_OF if mnemonic == n or mnemonic.startswith(n + ".")), mnemonic.split(".")[0])
    rest = mnemonic[len(name) + 1:].split(".") if len(mnemonic) > len(name) else []
    layouts = ".".join(w for w in rest if w in ("row", "col"))
    words = [w for w in rest if w not in TYPES and w not in ("row", "col")] + ([layouts] if layouts else [])
    return name, words, [w for w in rest if w in TYPES]


def identity(mnemonic, cache_words=True):
    """The order of words is free: their collection says which instruction it is."""
    name, words, types = split_words(mnemonic)
    words = [w for w in words if cache_words or not CACHE_WORDS.match(w)]
    return name, tuple(sorted(words)), tuple(types)


def inventory(table):
    text = subprocess.run(["zstd", "-dc", str(table)], capture_output=True, check=True).stdout.decode()
    return [line.split("\t") for line in text.splitlines()[1:]]


def families(rows):
    found = {}
    for row in rows:
        mnemonic, text, declarations = row[5], row[7], row[8]
        if declarations or not text or "{" == text[0]:
            continue
        name, words, types = split_words(mnemonic)
        family = found.setdefault(name, Family(name))
        family.words |= set(words)
        family.type_lists[tuple(types)] += 1
        family.shapes[text[len(mnemonic):]] += 1
        family.mnemonics.add(identity(mnemonic))
    return found


def slots(words):
    """Choices of which an instruction takes one each; "" is none of them."""
    left, chosen = set(words), []
    groups = [set(line) for line in EXCLUSIVE] + [{w for w in words if p.match(w)} for p in PATTERNS] + [{w for w in words if re.match(r"(row|col)", w)}]
    for group in groups:
        if mine := sorted(left & group):
            chosen.append([""] + mine)
            left -= group
    return chosen + [["", word] for word in sorted(left)]
