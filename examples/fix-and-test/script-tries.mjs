/** Another wrong try in each round, and never the right one. Asked to conclude, it says so. */
export default ({ toolsOff }, n) =>
  toolsOff
    ? { text: `I have made ${n - 1} tries, and the tests do not pass yet.` }
    : {
        calls: [
          { name: 'write_file', input: { path: 'app.py', content: `def add(a, b):\n    return ${n}\n` } },
        ],
      };
