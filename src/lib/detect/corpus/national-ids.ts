import { type Example, positives } from './example.ts';

/** Ids from the documentation of their issuers, or made to pass the checksum; nobody has them. */
const IDS: Readonly<Record<string, readonly [values: readonly string[], frames: readonly string[]]>> = {
  us_ssn: [
    ['536-90-4399', '219-09-9999', '457-55-5462', '536904399'],
    ['My SSN is {}.', 'social security number: {}'],
  ],
  uk_nino: [
    ['AB123456C', 'JG 10 37 59 A', 'ce 12 34 56 b'],
    ['NI number {}', 'National Insurance: {}'],
  ],
  uk_nhs: [
    ['943 476 5919', '9434765919', '450-557-7104'],
    ['NHS number {}', 'health record NHS {}'],
  ],
  de_tax_id: [
    ['86095742719', '65 929 970 489', '47036892816'],
    ['Steuer-ID {}', 'Meine IdNr. lautet {}'],
  ],
  fr_nir: [
    ['2 55 08 14 168 025 38', '255081416802538'],
    ['numéro de sécu {}', 'NIR : {}'],
  ],
  es_dni: [
    ['48392015S', 'X7051936K', '70519364-F'],
    ['Mi DNI es {}', 'NIE {}'],
  ],
  it_codice_fiscale: [
    ['RSSMRA85T10A562S', 'MRTMTT91D08F205J'],
    ['codice fiscale {}', 'CF: {}'],
  ],
  nl_bsn: [
    ['111222333', '123456782'],
    ['BSN {}', 'burgerservicenummer: {}'],
  ],
  be_rrn: [
    ['85.07.30-033.28', '17.07.30-033.84'],
    ['rijksregisternummer {}', 'NRN {}'],
  ],
  pl_pesel: [
    ['44051401359', '02070803628'],
    ['PESEL {}', 'mój numer PESEL: {}'],
  ],
  br_cpf: [
    ['529.982.247-25', '111.444.777-35', '52998224725'],
    ['CPF {}', 'meu CPF é {}'],
  ],
  in_aadhaar: [
    ['2341 2341 2346', '234123412346'],
    ['Aadhaar {}', 'my aadhar number is {}'],
  ],
  in_pan: [['ABCPE1234F'], ['PAN {}']],
  ca_sin: [
    ['146 454 285', '130 692 544'],
    ['SIN {}', 'social insurance number {}'],
  ],
  au_tfn: [
    ['123 456 782', '865414088'],
    ['TFN {}', 'tax file number: {}'],
  ],
  se_personnummer: [
    ['811228-9874', '670919-9530'],
    ['personnummer {}', 'mitt personnr är {}'],
  ],
  dk_cpr: [['110977-2107'], ['CPR {}']],
  fi_hetu: [['131052-308T'], ['henkilötunnus {}', 'hetu: {}']],
  ch_ahv: [
    ['756.9217.0769.85', '7569217076985'],
    ['AHV {}', 'numéro AVS {}'],
  ],
  cn_id: [['11010519491231002X'], ['身份证 {}', 'resident identity {}']],
  kr_rrn: [['820701-2409181'], ['주민등록번호 {}']],
  mx_curp: [
    ['HEGG560427MVZRRL04', 'BADD110313HCMLNS09'],
    ['CURP {}', 'mi curp es {}'],
  ],
};

export const NATIONAL_IDS: readonly Example[] = Object.entries(IDS).flatMap(([type, [values, frames]]) =>
  positives(type, values, frames),
);
