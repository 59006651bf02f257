/* script.c - what pointing at a cell, tapping on it or reaching it by its picture says, in a line at the
 * bottom: phones show no titles. Without it the tables below the pictures say the same.
 */
#include "html.h"

const char html_script[] = "(function(){'use strict';"
                           "var say=document.getElementById('say'),at=null;"
                           "function show(e){"
                           "var mark=e.target.closest?e.target.closest('svg rect,svg line'):null,"
                           "title=mark?mark.querySelector('title'):null;"
                           "if(at)at.classList.remove('at');"
                           "at=title?mark:null;"
                           "say.hidden=!title;"
                           "if(!title)return;"
                           "say.textContent=title.textContent;"
                           "at.classList.add('at');}"
                           "document.addEventListener('click',show);"
                           "document.addEventListener('mouseover',show);"
                           "})();";

/* Of the text above; a browser runs no script that has another. */
const char html_script_hash[] = "sha256-9m7K8rfzGwsuPAEpFQ8Rwj1D5SvQjOPuis+KZ4u3h/8=";
