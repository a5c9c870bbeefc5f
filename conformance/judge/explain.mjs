export const caseNamed=()=>{}, explained=()=>{}, tried=()=>{};
