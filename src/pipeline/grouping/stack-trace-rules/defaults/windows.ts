import type { PlatformCategories } from './default-rules.ts';

/** Windows: what belongs to the system or to the runtime of its compiler. */
export const WINDOWS_CATEGORIES: PlatformCategories = {
  system: { packages: ['C:/Windows/**'] },
  threadbase: {
    functions: [
      'BaseThreadInitThunk',
      'RtlUserThreadStart',
      'RtlpTpWorkCallback',
      'TppWorkerThread',
      'TppWorkpExecuteCallback',
      'invoke_main',
      'wWinMain',
    ],
  },
  malloc: { functions: ['RtlpAllocateHeapInternal', 'malloc_base'] },
  dtor: { functions: ["destructor'"] },
  shutdown: { functions: ['ExitProcessImplementation', 'RtlExitUserProcess'] },
  handler: { functions: ['DispatchHookW', 'RtlpExecuteHandlerForException', 'execute_onexit_table'] },
  throw: {
    functions: [
      'RaiseComPlusException',
      'RaiseException',
      'RtlExitUserThread',
      'TppRaiseInvalidParameter',
      '_CxxThrowException',
    ],
  },
  driver: {
    functions: ['*CUDA*'],
    packages: [
      '**/nvcuda.dll',
      'C:/Program Files/NVIDIA Corporation/**',
      'C:/Windows/System32/DriverStore/**',
    ],
  },
  free: { functions: ['RtlFreeHeap', 'RtlFreeUnicodeString', 'std::_Deallocate'] },
  gl: { packages: ['C:/Windows/System32/opengl32.dll'] },
};
