"""The families of instructions as the inventory has them, and which words exclude one another."""
import collections, itertools, re, subprocess

from operands import split_operands

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

TYPES = """u2 s2 u4 s4 b1 b2 u8 s8 b8 u16 s16 b16 u32 s32 b32 u64 s64 b64 b128 pred f16 bf16 tf32 f32 f64 u16x2 s16x2 f16x2 bf16x2 f32x2 u8x4 s8x4 e2m1 e2m3 e3m2
e4m3 e5m2 ue4m3 ue8m0 e2m1x2 e2m3x2 e3m2x2 e4m3x2 e5m2x2 ue8m0x2 e2m1x4 e2m3x4 e3m2x4 e4m3x4 e5m2x4 b1024""".split()
# ptxas passes over these words beside nearly every instruction; they say something in tensormap.replace, testp, ldmatrix, multimem and istypep alone.
IGNORED = set("""rank finite infinite normal subnormal number notanumber box_dim global_dim global_stride element_stride global_address elemtype fill_mode
swizzle_mode swizzle_atomicity interleave_layout acc::f16 acc::f32 b8x16 b4x16_p64 b6x16_p32 b2 texref surfref samplerref""".split())
CACHE_WORDS = re.compile(r"(ca|cg|cs|lu|cv|wb|wt|L[12]::.*)$")
LAYOUTS = ["row", "col", "row.row", "row.col", "col.row", "col.col"]
# Of two state spaces the first is where to, and the order counts as that of the layouts does: both are one word here.
SPACES = ["const", "global", "local", "param", "param::entry", "param::func", "shared", "shared::cta", "shared::cluster"]
ORDERED = LAYOUTS + [".".join(pair) for pair in itertools.permutations(SPACES, 2)]
NAME_OF = sorted(NAMES, key=lambda name: -name.count("."))


class Family:
    def __init__(self, name):
        self.name, self.words, self.shapes, self.type_lists = name, set(), collections.Counter(), collections.Counter()
        self.examples, self.places, self.skeletons = [], collections.defaultdict(list), set()


def split_words(mnemonic):
    """-> the instruction's name, its words, its types; .row and .col, and two state spaces, have places and keep them."""
    name = next((n for n in NAME_OF if mnemonic == n or mnemonic.startswith(n + ".")), mnemonic.split(".")[0])
    rest = mnemonic[len(name) + 1:].split(".") if len(mnemonic) > len(name) else []
    kept = [[w for w in rest if w in ("row", "col")], [w for w in rest if w in SPACES]]
    joined = {some[0]: ".".join(some) for some in kept if some}
    left = [joined.get(w, w) for w in rest if not any(w in some[1:] and w != some[0] for some in kept)]
    words = [w for i, w in enumerate(left) if w not in TYPES and w not in left[:i]]
    return name, words, [w for w in rest if w in TYPES]


def identity(mnemonic, cache_words=True):
    """The order of words is free: their collection says which instruction it is."""
    name, words, types = split_words(mnemonic)
    words = [w for w in words if cache_words or not CACHE_WORDS.match(w)]
    return name, tuple(sorted(words)), tuple(types)


def inventory(table):
    text = subprocess.run(["zstd", "-dc", str(table)], capture_output=True, check=True).stdout.decode()
    return [line.split("\t") for line in text.splitlines()[1:]]


def skeleton(text):
    """An instruction's operands without what stands for one another: registers of any size, immediates, variables."""
    def kind(one):
        if one.startswith("{"):
            return "{%d}" % len(split_operands(one[1:-1] + ";"))
        if one.startswith("["):
            return "[%s]" % ",".join(map(kind, split_operands(one[1:-1] + ";")))
        return "v|v" if "|" in one else "v"
    return ", ".join(kind(one) for one in split_operands(text.partition(" ")[2]))


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
        family.examples.append((tuple(words), tuple(types), text[len(mnemonic):]))
        family.skeletons.add((identity(mnemonic, False), skeleton(text)))
        for place, word in enumerate(words):
            family.places[word].append(place)
    return found
