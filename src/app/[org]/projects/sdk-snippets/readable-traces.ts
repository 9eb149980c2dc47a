import type { ReadableTraces } from './snippet.ts';

const upload = (uploadTool: string): ReadableTraces => ({
  text: 'Builds minify your code. Upload source maps with each build, and stack traces show your original code.',
  uploadTool,
});

export const VITE_MAPS = upload('vite');
export const NEXTJS_MAPS = upload('nextjs');
export const WEBPACK_MAPS = upload('webpack');
export const CLI_MAPS = upload('cli');

/** Servers usually run the code that was written. */
export const MAPS_OF_BUNDLES: ReadableTraces = {
  text: 'Nothing to do for plain JavaScript. If you bundle or compile your code, upload its source maps with each build.',
  uploadTool: 'cli',
};

export const R8_MAPPINGS: ReadableTraces = {
  text: 'R8 and ProGuard rename classes and methods in release builds. Upload the mapping file of each build, and stack traces show your original names.',
  uploadTool: 'proguard',
};

const note = (text: string): ReadableTraces => ({ text, uploadTool: null });

export const APPLE_SYMBOLS = note(
  'Errata shows the function names that the SDK finds on the device. To keep them in release builds, set Strip Linked Product to No. dSYM files cannot be uploaded.',
);
export const NATIVE_SYMBOLS = note(
  'Errata shows the function names that the SDK finds while the program runs, so do not strip symbols from release builds. Debug files cannot be uploaded, and minidumps show modules and addresses.',
);
export const GAME_SYMBOLS = note(
  'Errors in scripts and managed code are readable as they are. Native crashes show modules and addresses, because debug files cannot be uploaded.',
);
export const DART_SYMBOLS = note(
  'Build without --obfuscate and --split-debug-info. Symbols of obfuscated builds cannot be uploaded.',
);
export const DOTNET_SYMBOLS = note(
  'Deploy the .pdb files next to your assemblies, or set DebugType to embedded, and stack traces have file names and line numbers.',
);
export const RUST_SYMBOLS = note(
  'Keep line numbers in release builds: set debug = "line-tables-only" under [profile.release] in Cargo.toml.',
);
export const ELIXIR_SOURCES = note(
  'Run mix sentry.package_source_code before mix release, and stack traces show the source around each line.',
);
