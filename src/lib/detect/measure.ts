import { type Accuracy, type Counts, toAccuracy } from './accuracy.ts';
import { detectInjection } from './content/injection.ts';
import { detectLanguage } from './content/language.ts';
import { createUrlDetector } from './content/urls.ts';
import type { Example } from './corpus/example.ts';
import { injectionTexts } from './corpus/injection.ts';
import { languageTexts } from './corpus/languages.ts';
import { LINK_OPTIONS, linkExamples } from './corpus/links.ts';
import { piiExamples } from './corpus/pii.ts';
import { secretExamples } from './corpus/secrets.ts';
import type { Match } from './match.ts';
import { createPiiDetector } from './pii/detect-pii.ts';
import { createSecretDetector } from './secrets/detect-secrets.ts';
import { type Views, viewsOf } from './text/views.ts';

/** Runs every detector on its examples. It takes some tenths of a second. */
export function measureDetectors(injectionThreshold = 0.7): Accuracy[] {
  return [
    ...measureTypes('pii', piiExamples(), createPiiDetector()),
    ...measureTypes('secrets', secretExamples(), createSecretDetector()),
    ...measureTypes('urls', linkExamples(), createUrlDetector(LINK_OPTIONS)),
    measureInjection(injectionThreshold),
    ...measureLanguages(),
  ];
}

/** What is wrongly found counts against the type that was found, wherever in the examples of the check it was. */
function measureTypes(
  check: string,
  examples: readonly Example[],
  detect: (views: Views) => Match[],
): Accuracy[] {
  type Count = { -readonly [K in keyof Counts]: number };
  const counts = new Map<string, Count>();
  const of = (type: string): Count => {
    const count = counts.get(type) ?? { examples: 0, found: 0, missed: 0, wrong: 0 };
    counts.set(type, count);
    return count;
  };
  for (const { text, expected } of examples) {
    const matches = detect(viewsOf(text));
    for (const place of expected) {
      of(place.type).examples++;
      const isFound = matches.some(
        ({ type, start, end }) => type === place.type && start <= place.start && end >= place.end,
      );
      of(place.type)[isFound ? 'found' : 'missed']++;
    }
    for (const { type, start, end } of matches) {
      const isRight = expected.some((place) => place.type === type && start < place.end && place.start < end);
      if (!isRight) of(type).wrong++;
    }
  }
  return [...counts].map(([type, count]) => toAccuracy(check, type, count));
}

function measureInjection(threshold: number): Accuracy {
  const isHit = (text: string): boolean => detectInjection(viewsOf(text)).score >= threshold;
  const { attacks, requests } = injectionTexts;
  const found = attacks.filter(isHit).length;
  return toAccuracy('prompt_injection', 'prompt_injection', {
    examples: attacks.length + requests.length,
    found,
    missed: attacks.length - found,
    wrong: requests.filter(isHit).length,
  });
}

function measureLanguages(): Accuracy[] {
  const told = Object.entries(languageTexts).flatMap(([language, texts]) =>
    texts.map((text) => ({ language, told: detectLanguage(text).language })),
  );
  return Object.keys(languageTexts).map((language) => {
    const own = told.filter((one) => one.language === language);
    const found = own.filter((one) => one.told === language).length;
    return toAccuracy('language', language, {
      examples: own.length,
      found,
      missed: own.length - found,
      wrong: told.filter((one) => one.told === language && one.language !== language).length,
    });
  });
}
