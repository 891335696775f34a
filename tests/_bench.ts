import { openTestApp } from './helpers/app.ts';
import { createSessionGuard } from '../src/core/auth/index.ts';
import { createKeyGuard, createKey } from '../src/core/keys/index.ts';
const mode = process.argv[2] as 'serve'|'command';
const a = await openTestApp({ mode });
const g = createSessionGuard(a.ctx); const k = createKeyGuard(a.ctx);
const req = new Request('http://localhost/v1/auth/me',{headers:{Authorization:`Bearer ${a.seed.bearer}`, 'x-api-key': a.seed.apiKey}});
async function time(name: string, n: number, f: () => Promise<unknown>) { for (let i=0;i<200;i++){ a.clock.advance(1000); await f();} const t=performance.now(); for(let i=0;i<n;i++) {a.clock.advance(1000); await f();} console.log(mode, name, ((performance.now()-t)/n*1000).toFixed(1),'us'); }
const real=a.clock.advance;
await time('session+project, 1s steps (reload each 5)', 5000, async()=>g.project(await g.session(req), a.seed.projectId));
await time('key, 1 s steps (reload each 60, use note)', 5000, ()=>k(req,'1.1.1.1'));
let i=0; 
await time('unknown prefix', 5000, ()=>k(new Request('http://localhost/',{headers:{'x-api-key':'slk_'+(i++).toString(16).padStart(64,'0')}}),'1.1.1.'+i).catch(()=>0));
await time('forged bearer', 5000, ()=>g.session(new Request('http://localhost/',{headers:{Authorization:'Bearer aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.zRT/gydUOPIbJfvDkalim+4euIVOumSFc1xHbkUJZec='}})).catch(()=>0));
await time('session db miss each', 5000, ()=>{a.clock.advance(6000*0+5000);return g.session(req)});
await time('http me', 2000, ()=>a.fetch('/v1/auth/me',{bearer:a.seed.bearer}));
await a.close();
