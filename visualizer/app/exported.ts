/** Where this page is a file with a run in it: there is nobody then who could be asked for another one. */
export const exported = document.getElementById('pawl-records');
