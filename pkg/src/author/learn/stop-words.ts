/** Words that say nothing of what a tool does: those of grammar, and those with which people ask. */

const WORDS = `
a about above additionally after again all also am an and any anyone are as ask assist assistance at be because been before
being below between both but by can cannot could did do does doing don done down during each either else ever every few find
for from further gave get gets getting give given gives giving go goes going got had has have having he hello help her here
hers hey him his how i if in information instead interested into is it its itself just kindly know let lets like look looking
lot make makes making many may maybe me might mine more moreover most much must my near need needed needs new nice no nor not
now of off ok okay on once one only or other others our out over own per perhaps please possible provide quite rather really
same see shall she should show since so some someone something somewhere soon sure such suggest take tell than thank thanks
that the their them then there these they thing things think this those through to today together tomorrow tonight too tool
tools toward try trying two under until up upon us use used useful user using various very via want wanted was way we well
were what whatever when where whether which while who whom whose why will wish with within without wonder wondering would yes
yesterday yet you your`;

/** Whether a word in small letters is one of them. */
export const isStopWord: (word: string) => boolean = ((words) => words.has.bind(words))(new Set(WORDS.trim().split(/\s+/)));
