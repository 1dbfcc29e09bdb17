import { makeServer } from './server.js';

const server = makeServer();
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
