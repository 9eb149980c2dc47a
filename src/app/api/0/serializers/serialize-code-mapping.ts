import type { CodeMappingRow } from '#product/code-mappings/code-mappings.ts';

/** Source of the fields: Sentry's `code-mappings`. */
export const serializeCodeMapping = ({ mapping, project, repository }: CodeMappingRow) => ({
  id: String(mapping.id),
  projectId: String(project.id),
  projectSlug: project.slug,
  repoId: String(repository.id),
  repoName: repository.name,
  integrationId: null,
  provider: null,
  stackRoot: mapping.stackRoot,
  sourceRoot: mapping.sourceRoot,
  defaultBranch: mapping.defaultBranch,
  automaticallyGenerated: false,
});
