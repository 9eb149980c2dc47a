import { visibleText } from '#lib/visible-text.ts';
import type { ArtifactFile, ArtifactFileKind } from '#product/artifacts/artifact.ts';
import { formatBytes, formatPlural } from '#ui/format-number.ts';
import { Table, Td, Th, Tr } from '#ui/table.tsx';

/** The files of an upload. */
export function FileTable({ files }: { files: readonly ArtifactFile[] }) {
  return (
    <Table label="Files of the upload">
      <thead>
        <tr>
          <Th>File</Th>
          <Th>What it is</Th>
          <Th>Debug id</Th>
          <Th align="right">Size</Th>
        </tr>
      </thead>
      <tbody>
        {files.map((file) => (
          <Tr key={file.id}>
            <Td className="min-w-52">
              <bdi className="mono break-anything text-xs">{visibleText(file.url || (file.path ?? ''))}</bdi>
              {file.sourceMap === null ? null : (
                <span className="block text-text-muted text-xs">
                  map: <bdi className="mono break-anything">{visibleText(file.sourceMap)}</bdi>
                </span>
              )}
            </Td>
            <Td className="whitespace-nowrap">{KINDS[file.kind]}</Td>
            <Td className="min-w-40">
              {file.debugId === null ? (
                <span className="text-text-muted">none</span>
              ) : (
                <code className="mono break-anything text-xs">{file.debugId}</code>
              )}
            </Td>
            <Td align="right" className="whitespace-nowrap">
              <span title={formatPlural(file.bytes, 'byte')}>{formatBytes(file.bytes)}</span>
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

const KINDS: Readonly<Record<ArtifactFileKind, string>> = {
  minified_source: 'script',
  source_map: 'source map',
  source: 'source',
  other: 'other',
};
