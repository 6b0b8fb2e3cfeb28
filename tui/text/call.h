/* How fabcon was called: commands of its own that it shows to be typed begin with it. */
#ifndef TUI_TEXT_CALL_H
#define TUI_TEXT_CALL_H

/* Adds an option as it was given, " -i gpu.yml", when the command line is read; the value is quoted where a shell needs it. */
void call_add(const char *option, const char *value);
/* "fabcon -i gpu.yml"; "fabcon" alone where nothing was added. Lent. */
const char *call_words(void);

#endif
