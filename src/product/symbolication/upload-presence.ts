import type { ProjectScope } from '#product/artifacts/locate-source-map.ts';
import type { Stores } from '#product/stores.ts';
import { ABSENT_MS, FOUND_MS, PLACES_MAX } from './byte-cache.ts';
import { Places } from './places.ts';

/** Whether anything was uploaded for a project. Most never upload anything: one question for all of their scripts. */
export class UploadPresence {
  readonly #artifacts: Pick<Stores['artifacts'], 'listBundles'>;
  readonly #now: () => number;
  readonly #places = new Places<boolean>(PLACES_MAX);

  constructor({
    artifacts,
    now,
  }: {
    artifacts: Pick<Stores['artifacts'], 'listBundles'>;
    now: () => number;
  }) {
    this.#artifacts = artifacts;
    this.#now = now;
  }

  forget(organizationId: number | null): void {
    this.#places.forget(organizationId);
  }

  /** undefined when nobody has looked. */
  find(scope: ProjectScope): boolean | undefined {
    return this.#places.find(scope, '', this.#now());
  }

  async load(scope: ProjectScope): Promise<boolean> {
    const known = this.find(scope);
    if (known !== undefined) return known;
    const { organizationId, projectId } = scope;
    const generation = this.#places.generationOf(organizationId);
    const { bundles } = await this.#artifacts.listBundles(organizationId, [projectId], {
      kind: null,
      version: null,
      search: '',
      limit: 1,
      after: null,
    });
    const hasUploads = bundles.length > 0;
    const expiresAt = this.#now() + (hasUploads ? FOUND_MS : ABSENT_MS);
    this.#places.keep(scope, '', hasUploads, expiresAt, generation);
    return hasUploads;
  }
}
