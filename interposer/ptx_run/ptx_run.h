/* Runs the kernel of a PTX text here, on the host's own memory. */
#ifndef WEDJAT_PTX_RUN_H
#define WEDJAT_PTX_RUN_H

#ifdef __cplusplus
extern "C" {
#endif

/* args: the parameters' values, as many bytes of each as the parameter has. The first kernel of the text
 * runs. */
void ptx_run(const char* source, int n_args, void** args, int block_x, int block_y, int block_z, int grid_x,
             int grid_y, int grid_z, int shared_bytes);

#ifdef __cplusplus
}
#endif

#endif
