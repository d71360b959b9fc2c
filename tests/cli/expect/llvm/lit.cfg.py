# How lit runs this folder: each .ll goes through llc and `wedjat expect`.
import lit.formats

config.name = "wedjat-expect"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll"]
config.test_exec_root = lit_config.params["scratch"]
config.substitutions.append(("%llc", lit_config.params["llc"] + " -mtriple=nvptx64 -mcpu=sm_90"))
config.substitutions.append(("%wedjat", lit_config.params["wedjat"]))
