import { DataType, load, open } from 'ffi-rs';

/**
 * Has the C library give back the pages of what was freed. By itself it keeps everything below the highest block that is in
 * use, which after a start or a busy hour is most of its heap. Only glibc can: elsewhere nothing is done.
 */
export function trimHeap(): void {
  if (process.platform !== 'linux') return;
  try {
    open({ library: 'libc', path: 'libc.so.6' });
    load({
      library: 'libc',
      funcName: 'malloc_trim',
      retType: DataType.I32,
      paramsType: [DataType.I64],
      paramsValue: [0],
    });
  } catch {
    // Another C library.
  }
}
