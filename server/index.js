// `node server` starts the API server, `node server orders list` runs a command of the operator. JavaScript, as Node before 24 loads no TypeScript.
if (Number(process.versions.node.split(".")[0]) < 24) {
  console.error(
    `The server needs Node 24, and this is ${process.versions.node}: run node_modules/.bin/node, which \`npm run setup\` installs, or install Node 24.`,
  );
  process.exit(1);
}

const [command, ...args] = process.argv.slice(2);
if (command) await import("./operator.ts").then(({ runProgram }) => runProgram(command, args));
else await import("./index.ts");
