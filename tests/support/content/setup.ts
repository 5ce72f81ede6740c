import type { TestProject } from "vitest/node";
import { startTestSites } from "./test-site.ts";

/** Builds and starts the sites that the tests of builds read: the demo, and a label for those tagged `full`. */
export default ({ vitest }: TestProject) => startTestSites(!vitest.config.tagsFilter?.join().includes("!full"));
