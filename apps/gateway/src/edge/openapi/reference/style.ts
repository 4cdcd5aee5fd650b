/** The reference page's style sheet: one column on a phone, contents at the side on a screen, light and dark by the reader's preference. */

const colors = `
:root{color-scheme:light dark;--ink:light-dark(#16202c,#e4e9f0);--soft:light-dark(#55606e,#9fabba);--line:light-dark(#dde3ea,#2b3542);--page:light-dark(#fff,#10151c);--raised:light-dark(#f5f7fa,#171e27);--code:light-dark(#f0f3f7,#1c2530);--accent:light-dark(#0b57c4,#7db3ff);--good:light-dark(#0a6b3d,#74d7a3);--goodbg:light-dark(#e2f4ea,#123524);--bad:light-dark(#9c2f18,#ffab96);--badbg:light-dark(#fbe9e4,#40201a);--get:light-dark(#0b57c4,#7db3ff);--post:light-dark(#0a6b3d,#74d7a3);--patch:light-dark(#7a5200,#efc15f);--delete:light-dark(#a3261b,#ff9c91)}
`;

const frame = `
*{box-sizing:border-box}
html{scroll-padding-top:5rem;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
a{color:var(--accent);text-underline-offset:.15em}
main a{padding:.3em 0}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:3px}
.skip{position:absolute;left:-999px}
.skip:focus{left:1rem;top:.6rem;z-index:3;background:var(--page);padding:.3rem .8rem}
header{position:sticky;top:0;z-index:2;display:flex;flex-wrap:wrap;justify-content:space-between;align-items:center;gap:0 1rem;padding:.55rem 1.25rem;background:var(--page);border-bottom:1px solid var(--line)}
header p{margin:0}
header a{padding:.5rem 0}
.search{display:flex;flex:1 1 16rem;max-width:30rem;align-items:center;gap:.6rem;order:1}
.version{order:2}
.search input{flex:1;min-width:0;min-height:2.5rem;padding:.3rem .75rem;font:inherit;color:inherit;background:var(--raised);border:1px solid var(--line);border-radius:8px}
.search output{color:var(--soft);font-size:.85rem;white-space:nowrap}
.search output:empty{display:none}
[hidden]{display:none!important}
.searching h2{margin-top:1rem}
.brand strong{font-size:1.1rem;letter-spacing:-.01em}
.brand span,.version{color:var(--soft)}
.version{font-size:.875rem}
.layout{max-width:82rem;margin:0 auto}
main{padding:1.25rem;min-width:0}
.menu{border-bottom:1px solid var(--line);padding:.25rem 1.25rem}
.menu summary{font-weight:600;cursor:pointer;min-height:2.75rem;line-height:2.75rem}
.side{display:none}
nav{font-size:.9rem}
nav ul{list-style:none;margin:0;padding:0}
nav li{margin:.1rem 0}
nav a{display:flex;gap:.5rem;align-items:baseline;padding:.35rem .5rem;border-radius:6px;color:var(--ink);text-decoration:none}
nav a:hover{background:var(--raised)}
nav .group{font-weight:600;margin-top:.6rem}
nav .verb{flex:none;width:3.6rem;font-size:.66rem;padding:0;background:none;border:0;text-align:left}
@media (min-width:62rem){
.layout{display:grid;grid-template-columns:19rem minmax(0,1fr)}
.menu{display:none}
.side{display:block;position:sticky;top:3.1rem;height:calc(100vh - 3.1rem);overflow:auto;border-right:1px solid var(--line);padding:1rem .75rem}
main{padding:1.5rem 2.5rem 6rem}
}
`;

const content = `
h1{font-size:2rem;line-height:1.2;letter-spacing:-.02em;margin:.5rem 0 1rem}
h2{font-size:1.5rem;letter-spacing:-.015em;margin:3.5rem 0 .5rem;padding-top:1.25rem;border-top:1px solid var(--line)}
h3{font-size:1.15rem;margin:0 0 .5rem}
h4{font-size:.8rem;text-transform:uppercase;letter-spacing:.06em;color:var(--soft);margin:1.5rem 0 .5rem}
p{margin:.5rem 0;max-width:46rem}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.875em}
:not(pre)>code{background:var(--code);padding:.1em .35em;border-radius:4px;overflow-wrap:anywhere}
.operation,.schema{border:1px solid var(--line);border-radius:10px;padding:1.25rem;margin:1.25rem 0;background:var(--page)}
.operation:target,.schema:target{border-color:var(--accent);box-shadow:0 0 0 1px var(--accent)}
.line{display:flex;gap:.6rem;align-items:baseline;max-width:none}
.line .path{background:none;padding:0;font-size:.95rem;font-weight:600}
.verb{font:700 .75rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;padding:.1rem .5rem;border:1px solid currentColor;border-radius:5px}
.get{color:var(--get)}.post{color:var(--post)}.patch{color:var(--patch)}.delete{color:var(--delete)}
.label{color:var(--soft);font-size:.85rem;margin-right:.4rem}
.credential,.headers{font-size:.9rem}
.optional,.media,.limit{color:var(--soft);font-size:.8rem;font-weight:400}
.limit{white-space:normal;margin-right:.5rem}
.content{margin:.75rem 0 .25rem;font-weight:600}
.content .media{margin-left:.5rem}
dt{font-weight:600;margin-top:.75rem}
dd{margin:0}
figure{margin:.75rem 0;border:1px solid var(--line);border-radius:8px;overflow:hidden}
figcaption{display:flex;justify-content:space-between;align-items:center;gap:.75rem;min-height:2.5rem;background:var(--raised);border-bottom:1px solid var(--line);padding:.2rem .4rem .2rem .9rem;font-size:.8rem;color:var(--soft)}
button{flex:none;min-height:2.25rem;min-width:4.5rem;padding:.2rem .75rem;font:inherit;color:var(--ink);background:var(--page);border:1px solid var(--line);border-radius:6px;cursor:pointer}
button:hover{border-color:var(--accent)}
pre{margin:0;padding:.8rem .9rem;overflow:auto;line-height:1.5;background:var(--raised)}
pre code{user-select:all;-webkit-user-select:all}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left;vertical-align:top;padding:.5rem .75rem .5rem 0;border-bottom:1px solid var(--line)}
thead th{color:var(--soft);font-size:.8rem;font-weight:600}
tbody tr:last-child>*{border-bottom:0}
tbody th{font-weight:600;min-width:8rem}
.type{min-width:7rem}
.errors td{min-width:7rem}
.errors .short{min-width:3rem}
.errors td:nth-child(2){min-width:14rem}
.nowrap{white-space:nowrap}
.answers{border:1px solid var(--line);border-radius:8px}
.answers details+details{border-top:1px solid var(--line)}
.answers details>:not(summary){margin-left:.9rem;margin-right:.9rem}
.answers summary{display:flex;gap:.75rem;align-items:baseline;padding:.5rem .9rem;cursor:pointer;list-style:none}
.answers summary::-webkit-details-marker{display:none}
.answers summary::after{content:"+";margin-left:auto;color:var(--soft);font-weight:700}
.answers details[open]>summary::after{content:"\\2212"}
.answers summary:hover{background:var(--raised)}
.what{font-size:.9rem;overflow:hidden;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:1}
details[open] .what{display:inline}
.status{flex:none;font:700 .8rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;padding:.05rem .45rem;border-radius:5px}
.good{color:var(--good);background:var(--goodbg)}.bad{color:var(--bad);background:var(--badbg)}
@media print{.menu,.side,header,button{display:none}}
`;

/** On a phone every row is a block with its header cells next to their values, so that nothing scrolls sideways. */
const narrow = `
@media (max-width:61.99rem){
nav a{min-height:2.75rem;align-items:center}
header{padding:.4rem 1rem}
header a{display:inline-flex;align-items:center;min-height:2.75rem}
.search{order:3;flex-basis:100%;max-width:none}
.search input,button{min-height:2.75rem}
}
@media (max-width:40rem){
html{scroll-padding-top:4.5rem}
.brand span{display:none}
header:has(.search:not([hidden])){top:-3.1rem}
main{padding:1rem}
h1{font-size:1.6rem}
.operation,.schema{padding:.9rem;margin:1rem 0}
main a{padding:.5em 0}
.answers summary{min-height:2.75rem}
.line{flex-wrap:wrap}
.scroll{overflow:visible}
table,tbody,tr,th,td{display:block;width:auto;min-width:0!important}
thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
tr{padding:.7rem 0;border-bottom:1px solid var(--line)}
tbody tr:last-child{border-bottom:0}
th,td{padding:.1rem 0;border:0;overflow-wrap:anywhere}
.nowrap{white-space:normal}
td[data-label]::before{content:attr(data-label) " ";color:var(--soft);font-size:.8rem;margin-right:.35rem}
}
`;

/** In the console's frame: type and color scheme of the console, without a second brand or side menu. */
const embedded = `
.embedded .brand,.embedded .version,.embedded .side{display:none}
.embedded .menu{display:block}
.embedded .layout{display:block}
.embedded body{font-size:14px;font-family:Inter,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
.embedded h2{font-size:1.25rem}
.embedded h3{font-size:1rem}
.embedded main{max-width:72rem}
.embedded[data-scheme=light]{color-scheme:light}
.embedded[data-scheme=dark]{color-scheme:dark}
.embedded h1{font-size:1.625rem}
`;

export const style = colors + frame + content + narrow + embedded;
