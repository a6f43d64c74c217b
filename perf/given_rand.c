/* SPDX-FileCopyrightText: 2026 Genten contributors
 * SPDX-License-Identifier: BSD-3-Clause */

/* A rand() that returns given numbers, so that a program which takes its start from it begins where
 * another one does: cc -shared -fPIC -O2 given_rand.c -o given_rand.so, and LD_PRELOAD=given_rand.so
 * with GIVEN_RAND=FILE, 32-bit integers. Every second call returns 1: SPLATT draws a magnitude, then
 * a sign, which is plus where the number is odd. Where the numbers have run out the program is
 * aborted, and it is where the file cannot be read. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int rand(void);

int rand(void) {
  static FILE* file = NULL;
  static int sign = 0;
  int32_t number = 1;
  sign = !sign;
  if (!sign) return 1;
  if (file == NULL) {
    const char* const name = getenv("GIVEN_RAND");
    file = name == NULL ? NULL : fopen(name, "rb");
  }
  if (file == NULL || fread(&number, sizeof number, 1, file) != 1) {
    fputs("given_rand: no number left in the file that GIVEN_RAND names\n", stderr);
    abort();
  }
  return number;
}
