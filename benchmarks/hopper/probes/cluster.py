"""Shared memory of the own CTA and of others of the cluster."""

from probes import Probe, body

SHAPES = "1*1 1*4 1*16 1*32"
REGISTERS = [("%a", "b32", None), ("%v", "b32", "zero"), ("%x", "b64", "zero")]


def setup(distance):
    """%a is the place of this thread in the CTA `distance` further on in the cluster."""
    return [f".reg .b32 %rank, %size; mov.u32 %rank, %cluster_ctarank; mov.u32 %size, %cluster_nctarank; add.u32 %rank, %rank, {distance}; rem.u32 %rank, %rank, %size; "
            "mov.u32 %a, sbuf; mad.lo.u32 %a, %thread, 4, %a; mapa.shared::cluster.u32 %a, %a, %rank; "
            "st.shared::cluster.u32 [%a], 0; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;"]


# No CTA ends while others read its memory.
MEET = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;"
LINES = {
    "ld.shared::cluster.u32 dependent": "ld.shared::cluster.u32 %v, [%a]; mad.lo.u32 %a, %v, %zero, %a;",
    "st.shared::cluster.u32": "st.shared::cluster.u32 [%a], %v;",
    "atom.shared::cluster.add.u32 dependent": "atom.shared::cluster.add.u32 %v, [%a], %v;",
    "mapa.shared::cluster.u32": "mapa.shared::cluster.u32 %a, %a, %v;",
}


def probes():
    for ctas in (2, 4, 8):
        for distance in (0, 1):
            for name, line in LINES.items():
                made = body("cluster", line, REGISTERS, setup(distance), [("%v", "b32"), ("%a", "b32")], shared=4096, cluster=ctas, after=MEET)
                yield Probe(f"cluster {name} ctas={ctas} distance={distance}", made, SHAPES, 0)
