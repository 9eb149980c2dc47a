import type { ProjectScope } from '#product/artifacts/locate-source-map.ts';

type Place<Value> = { value: Value; expiresAt: number };
/** What was asked for least of late comes first. */
type ProjectPlaces<Value> = { organizationId: number; places: Map<string, Place<Value>> };

/** Organizations whose uploads are told apart. */
const ORGANIZATIONS_MAX = 10_000;

/** A cache of locations until they expire or uploads change. Projects above an equal share are evicted first. */
export class Places<Value> {
  readonly #placesMax: number;
  readonly #projects = new Map<string, ProjectPlaces<Value>>();
  #count = 0;
  /** How often something of the organization, and of all, was forgotten. */
  readonly #generations = new Map<number, number>();
  #generation = 0;

  constructor(placesMax: number) {
    this.#placesMax = placesMax;
  }

  /** undefined when nobody has looked, or not for too long. */
  find(scope: ProjectScope, name: string, nowMs: number): Value | undefined {
    const places = this.#projects.get(keyOf(scope))?.places;
    const place = places?.get(name);
    if (!places || !place || place.expiresAt <= nowMs) return undefined;
    places.delete(name);
    places.set(name, place);
    return place.value;
  }

  /** Changes when something of the organization is forgotten: what was looked up before that is out of date. */
  generationOf(organizationId: number): string {
    return `${this.#generation}.${this.#generations.get(organizationId) ?? 0}`;
  }

  /** `generation`: of the moment before the look-up; what is out of date is not kept. */
  keep(scope: ProjectScope, name: string, value: Value, expiresAt: number, generation: string): void {
    const { organizationId } = scope;
    if (generation !== this.generationOf(organizationId)) return;
    const key = keyOf(scope);
    const project = this.#projects.get(key) ?? { organizationId, places: new Map() };
    this.#projects.set(key, project);
    if (project.places.delete(name)) this.#count--;
    if (this.#count >= this.#placesMax) this.#makeRoom(project);
    project.places.set(name, { value, expiresAt });
    this.#count++;
  }

  /** null for every organization. */
  forget(organizationId: number | null): void {
    if (organizationId === null) {
      this.#renewAll();
      this.#projects.clear();
      this.#count = 0;
      return;
    }
    const generation = this.#generations.get(organizationId) ?? 0;
    if (generation === 0 && this.#generations.size >= ORGANIZATIONS_MAX) this.#renewAll();
    this.#generations.set(organizationId, generation + 1);
    for (const [key, project] of this.#projects) {
      if (project.organizationId !== organizationId) continue;
      this.#projects.delete(key);
      this.#count -= project.places.size;
    }
  }

  #makeRoom(asking: ProjectPlaces<Value>): void {
    const share = this.#placesMax / this.#projects.size;
    if (asking.places.size >= share) {
      this.#dropOldest(asking);
      return;
    }
    for (const [key, project] of this.#projects) {
      if (project.places.size < share) continue;
      this.#dropOldest(project);
      if (project.places.size === 0) this.#projects.delete(key);
      return;
    }
  }

  #dropOldest({ places }: ProjectPlaces<Value>): void {
    const [oldest] = places.keys();
    if (oldest !== undefined && places.delete(oldest)) this.#count--;
  }

  #renewAll(): void {
    this.#generation++;
    this.#generations.clear();
  }
}

const keyOf = ({ organizationId, projectId }: ProjectScope): string => `${organizationId} ${projectId}`;
