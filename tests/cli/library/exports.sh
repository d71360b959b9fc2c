# exports.sh LIBRARY HEADER: the library exports what the header declares, all with the version WEDJAT_1, and nothing else.
set -eu
library=$1 header=$2
exported=$(nm -D --defined-only "$library" | awk '$2 != "A" {print $3}' | sort)
declared=$(grep -o '\bwedjat_[a-z_]*(' "$header" | tr -d '(' | sort -u)
declared=$(printf '%s\n' "$declared" | sed 's/$/@@WEDJAT_1/' | sort)
[ -n "$exported" ] || { echo "$library exports nothing"; exit 1; }
[ "$exported" = "$declared" ] || { echo "exported:"; echo "$exported"; echo "declared:"; echo "$declared"; exit 1; }
readelf -d "$library" | grep -q 'SONAME.*\[libwedjat\.so\.1\]' || { echo "$library has another soname"; exit 1; }
