/** `waiting`: for its turn. `failing`: the last attempt failed, and another follows. `issued`: nothing is to be done now. */
export const CERTIFICATE_ORDER_STATES = ['waiting', 'under_way', 'failing', 'issued'] as const;
export type CertificateOrderState = (typeof CERTIFICATE_ORDER_STATES)[number];

/** In their order. `challenge`: gateways show the answer, and the authority looks. */
export const CERTIFICATE_ORDER_STEPS = ['account', 'order', 'challenge', 'finalize', 'download'] as const;
export type CertificateOrderStep = (typeof CERTIFICATE_ORDER_STEPS)[number];

/** `authority`: it said so (RFC 9773). `lifetime`: it says nothing, and two thirds of the life are over then. */
export const RENEWAL_SOURCES = ['authority', 'lifetime'] as const;
