import { read } from "#src/api/tab-storage.ts";

const root = document.documentElement;
const mode = read("COLOR_MODE");
if (root.dataset.forced === undefined && (mode === "light" || mode === "dark")) root.dataset.theme = mode;
