/** Digested records stay in the files of the spool until they are written over. Source: files of the spool. */
export interface SpoolRenewal {
  /** Whether the spool can give records up before their time. A topic of Kafka keeps them for as long as it is set up to. */
  isPossible: boolean;
  /** Has every file given up that is there now. May be asked again. */
  ask(): Promise<void>;
  /** Until they are gone: all that they hold has to be digested, and the edge has to run. */
  isPending(): Promise<boolean>;
}

/** For a spool that is a topic: its records go with its own retention. */
export const NO_RENEWAL: SpoolRenewal = {
  isPossible: false,
  async ask() {},
  isPending: async () => false,
};
