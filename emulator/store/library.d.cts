/** Gives the data library (@mswjs/data 0.16.2). */
export declare function library(): typeof import('@mswjs/data');
