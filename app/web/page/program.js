// Opens the program and gives the page `kvarium`: the command line, the scene that is shown, tables,
// and a promise for when all of it answers. Everything else on the page goes through `program`.
'use strict';

const program = {module: null, written: null};

// What a function of the program answers; what it refuses is thrown.
program.ask = (name, ...words) => {
  const answer = program.module.ccall(name, 'string', words.map(() => 'string'), words);
  if (answer.startsWith('\x01')) throw new Error(answer.slice(1));
  return answer;
};
program.askJson = (name, ...words) => JSON.parse(program.ask(name, ...words));

program.open = async (settings) => {
  const decoder = (text) => new TextDecoder().decode(new Uint8Array(text));
  const take = (which) => (byte) => {
    if (byte !== null && program.written) program.written[which].push(byte & 255);
  };
  const before = (module) => {
    const fs = module.FS;
    fs.init(() => null, take('out'), take('err'));
    for (const folder of ['/home', home, home + '/Pictures', '/link', '/dropped', '/files', '/cli'])
      if (!fs.analyzePath(folder).exists) fs.mkdir(folder);
    store.restore(fs);
    fs.chdir('/files');
  };
  const given = {preRun: [before], ...settings};
  program.module = await new Promise((open, fail) => {
    given.instantiateWasm = (imports, take) => {
      programCode.then((code) => WebAssembly.instantiate(code, imports).then((made) => take(made, code))).catch(fail);
      return {};
    };
    openKvarium(given).then(open, fail);
  });
  program.module.FS.ignorePermissions = true;  // there is one person here, and the files are theirs
  // One line at a time: the program writes to one pair of streams. A line has a folder of its own, in which
  // what it is given and what it writes lie.
  program.cli = (words, files = {}) => {
    const fs = program.module.FS, before = fs.cwd();
    fs.chdir('/cli');
    for (const [name, text] of Object.entries(files)) fs.writeFile(name, text);
    program.written = {out: [], err: []};
    try {
      const code = program.module.ccall('kv_cli', 'number', ['string'], [JSON.stringify(words.map(String))]);
      return {code, out: decoder(program.written.out), err: decoder(program.written.err)};
    } finally {
      program.written = null;
      fs.chdir(before);
    }
  };
};
