import { type CliScene, ORGANIZATION } from './cli-scene.ts';

export type ApiBundle = {
  bundleId: string;
  fileCount: number;
  associations: { release: string; dist: string | null }[];
};

export const projectOf = ({ slug }: CliScene): string => `/api/0/projects/${ORGANIZATION}/${slug}`;

/** Newest first. */
export const listBundles = (scene: CliScene): Promise<ApiBundle[]> =>
  scene.api.list<ApiBundle>(`${projectOf(scene)}/files/artifact-bundles/`);
