import type { ObfuscationMapping } from './java/parse-mapping.ts';
import type { SourceText } from './javascript/source-text.ts';
import type { PackedSymbols } from './native/packed-symbols.ts';
import type { PackedMap } from './source-map/packed-map.ts';

/** What leads to the map of a script: its debug id, else its address in a release. */
export type ScriptReference = {
  /** As the event names the script: `https://example.com/assets/app.js`. */
  url: string;
  /** Lower case, with dashes; null when the event names none for the script. */
  debugId: string | null;
  release: string | null;
  dist: string | null;
};

export type FoundScript = {
  kind: 'found';
  /** The uploaded file, for people: its address, or its debug id. */
  file: string;
  /** `fetched`: nobody uploaded it, it is public. */
  foundBy: 'debug-id' | 'release' | 'fetched';
  /** Where the names in the map are relative to. */
  baseUrl: string;
  map: PackedMap;
  /** The text of a source, by its index in the map; null where nobody has it. */
  findSource: (index: number) => SourceText | null | 'unknown';
};

/** Why there is no map. Each is a sentence with its next step on the page; see docs/source-maps.md. */
export type ScriptProblem =
  | { reason: 'no_debug_id_and_no_release' }
  | { reason: 'debug_id_not_uploaded'; debugId: string }
  | { reason: 'release_has_no_files'; release: string }
  | { reason: 'file_not_in_release'; release: string; url: string; nearest: string | null }
  | { reason: 'other_dist'; release: string; dist: string | null; uploadedDists: readonly (string | null)[] }
  | { reason: 'map_missing'; file: string; mapUrl: string | null }
  | { reason: 'map_invalid'; file: string; detail: string }
  | { reason: 'map_too_large'; file: string; bytes: number }
  | { reason: 'fetch_refused'; url: string; detail: string }
  /** Events waited for it for as long as they may: it can be applied to stored events. */
  | { reason: 'not_loaded_in_time'; url: string };

export type AbsentScript = { kind: 'absent' } & ScriptProblem;

/** Why there is no mapping of obfuscated names. */
export type MappingProblem =
  | { reason: 'mapping_not_uploaded'; debugId: string }
  | { reason: 'mapping_invalid'; debugId: string; detail: string }
  | { reason: 'not_loaded_in_time'; url: string };

/** Why there are no symbols of a program or a library. `debugId` names its build. */
export type DebugFileProblem =
  | { reason: 'debug_file_not_uploaded'; debugId: string; file: string }
  | { reason: 'debug_file_invalid'; debugId: string; detail: string }
  | { reason: 'not_loaded_in_time'; url: string };

/**
 * What is known of uploaded files right now. `unknown`: somebody has to look first; the event is then to be symbolicated
 * anew from the beginning.
 */
export type SymbolSources = {
  findScript: (reference: ScriptReference) => FoundScript | AbsentScript | 'unknown';
  /** By the id that the build gave it, in lower case with dashes. */
  findMapping: (debugId: string) => ObfuscationMapping | MappingProblem | 'unknown';
  /** By the id of the build, in lower case with dashes, an age other than 0 behind another one; null when not uploaded. */
  findSymbols: (debugId: string) => PackedSymbols | DebugFileProblem | null | 'unknown';
};

/** Why a frame shows no source. */
export type FrameProblem =
  | ScriptProblem
  | MappingProblem
  | DebugFileProblem
  /** The address is in none of the functions of the uploaded file. */
  | { reason: 'address_without_symbol'; debugId: string; file: string }
  | { reason: 'no_position' }
  | { reason: 'line_out_of_range'; file: string; line: number }
  | { reason: 'column_out_of_range'; file: string; line: number; column: number }
  | { reason: 'source_content_missing'; file: string; source: string }
  /** Frames before it have as many lines as one event may hold. */
  | { reason: 'source_lines_limit' };
