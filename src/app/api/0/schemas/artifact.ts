import { z } from 'zod';

export const BUNDLE = z
  .object({
    bundleId: z.string(),
    associations: z.array(z.object({ release: z.string(), dist: z.string().nullable() })),
    date: z.string(),
    dateModified: z.string(),
    fileCount: z.number(),
    size: z.number(),
  })
  .meta({ id: 'Bundle' });

export const BUNDLE_FILE = z
  .object({
    id: z.string(),
    fileType: z.number(),
    filePath: z.string(),
    fileSize: z.number(),
    debugId: z.string().nullable(),
    sourcemap: z.string().nullable(),
  })
  .meta({ id: 'BundleFile' });

export const DEOBFUSCATION_FILE = z
  .object({
    id: z.string(),
    uuid: z.string(),
    debugId: z.string(),
    codeId: z.null(),
    cpuName: z.string(),
    objectName: z.string(),
    symbolType: z.string(),
    headers: z.object({ 'Content-Type': z.string() }),
    size: z.number(),
    sha1: z.string(),
    dateCreated: z.string(),
    data: z.object({ features: z.array(z.string()) }),
  })
  .meta({ id: 'DeobfuscationFile' });

export const ARCHIVE = z
  .object({ type: z.string(), id: z.string(), name: z.string(), date: z.string(), fileCount: z.number() })
  .meta({ id: 'Archive' });

/** How far an upload is that is made of parts. */
export const ASSEMBLY = z
  .object({
    state: z.enum(['not_found', 'assembling', 'ok', 'error']),
    missingChunks: z.array(z.string()),
    detail: z.string().nullable(),
  })
  .meta({ id: 'Assembly' });

export const RELEASE_FILE = z
  .object({
    id: z.string(),
    name: z.string(),
    dist: z.string().nullable(),
    headers: z.record(z.string(), z.string()),
    size: z.number(),
    sha1: z.string(),
    dateCreated: z.string(),
  })
  .meta({ id: 'ReleaseFile' });
